// SPDX-License-Identifier: Apache-2.0
// Two sensors at 40 Hz, of pressure and of temperature. The second one fails after a while.
//
//     realtime_client CHANNEL [SECONDS]
#include <callis/corba.h>
#include <chrono>
#include <cstdlib>
#include <iostream>
#include <thread>
#include "RtecEventChannelAdmin.h"
#include "plant.h"

namespace comm = RtecEventComm;
namespace admin = RtecEventChannelAdmin;
using namespace std::chrono_literals;

static comm::EventSet event(plant::Source source, plant::Type type, double reading = 0) {
  comm::EventSet out;
  out.length(1);
  out[0].header.source = source;
  out[0].header.type = type;
  out[0].header.ttl = 1;  // to channels that take from this one, and not further
  out[0].data.pad1 = 0;
  out[0].data.any_value <<= reading;
  return out;
}

static admin::ProxyPushConsumer_var connect(admin::EventChannel_ptr channel) {
  admin::SupplierQOS qos;  // a sensor that sends something else is told so
  qos.is_gateway = false;
  qos.publications.length(3);
  qos.publications[0].event = event(plant::kPressure, plant::kReading)[0];
  qos.publications[1].event = event(plant::kTemperature, plant::kReading)[0];
  qos.publications[2].event = event(plant::kControl, plant::kEnd)[0];
  for (CORBA::ULong i = 0; i < 3; ++i)
    qos.publications[i].dependency_info = {RtecBase::ONE_WAY_CALL, 1, 0};
  admin::SupplierAdmin_var suppliers = channel->for_suppliers();
  admin::ProxyPushConsumer_var out = suppliers->obtain_push_consumer();
  out->connect_push_supplier(comm::PushSupplier::_nil(), qos);
  return out;
}

int main(int argc, char** argv) {
  try {
    CORBA::ORB_var orb = CORBA::ORB_init(argc, argv);
    const int seconds = argc > 2 ? std::atoi(argv[2]) : 1;
    if (argc < 2 || seconds < 1 || seconds > 3600) {
      std::cerr << "usage: realtime_client CHANNEL [SECONDS]\n";
      return 2;
    }
    CORBA::Object_var object = orb->string_to_object(argv[1]);
    admin::EventChannel_var channel = admin::EventChannel::_narrow(object);
    if (CORBA::is_nil(channel)) {
      std::cerr << "realtime_client: that object is no real-time event channel\n";
      return 1;
    }
    admin::ProxyPushConsumer_var to = connect(channel);
    auto release = std::chrono::steady_clock::now();
    const auto fails = release + std::chrono::seconds(seconds);
    for (; release < fails + 500ms; release += 25ms) {
      std::this_thread::sleep_until(release);
      to->push(event(plant::kPressure, plant::kReading, 2.5));
      if (release < fails) to->push(event(plant::kTemperature, plant::kReading, 21));
    }
    to->push(event(plant::kControl, plant::kEnd));
    to->disconnect_push_consumer();
    orb->destroy();
  } catch (const CORBA::Exception& e) {
    std::cerr << "realtime_client: " << e.what() << '\n';
    return 1;
  }
}
