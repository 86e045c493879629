// SPDX-License-Identifier: Apache-2.0
// A monitor: wants pressure and temperature together, and to be told when one of them is late. Ends at an event that
// says so.
//
//     realtime_server CHANNEL
#include <callis/corba.h>
#include <callis/portable_server.h>
#include <callis/signals.h>
#include <atomic>
#include <iostream>
#include "CallisRealTimeEvents.h"
#include "RtecEventComm_skel.h"
#include "plant.h"

namespace comm = RtecEventComm;
namespace admin = RtecEventChannelAdmin;
using CallisRealTimeEvents::ConsumerAdmin_var;
using CallisRealTimeEvents::ConsumerTerms;

class Monitor : public POA_RtecEventComm::PushConsumer {
 public:
  explicit Monitor(CORBA::ORB_ptr orb) : orb_(CORBA::ORB::_duplicate(orb)) {}

  // Sets of one priority come one at a time.
  void push(const comm::EventSet& events) override {
    const CORBA::ULong last = events.length() - 1;
    if (events[0].header.type == plant::kEnd) return orb_->shutdown(false);
    if (events[last].header.type == comm::DEADLINE_TIMEOUT) {
      if (++late_ == 1) std::cout << "late: " << missing(events) << std::endl;
      return;
    }
    if (++pairs_ == 1)
      std::cout << "the first pair: " << value(events[0]) << " bar, " << value(events[1]) << " degrees" << std::endl;
  }
  void disconnect_push_consumer() override { orb_->shutdown(false); }
  void report() const {
    std::cout << "pairs: " << pairs_ << "\ndeadlines that passed: " << late_ << std::endl;
  }

 private:
  static double value(const comm::Event& event) {
    CORBA::Double out = 0;
    event.data.any_value >>= out;
    return out;
  }
  // What has come, of the two, stands before the timeout.
  static const char* missing(const comm::EventSet& events) {
    if (events.length() == 1) return "both sensors";
    return events[0].header.source == plant::kPressure ? "temperature" : "pressure";
  }
  CORBA::ORB_var orb_;
  std::atomic<int> pairs_{0}, late_{0};
};

static void add(admin::ConsumerQOS& qos, CORBA::Long source, CORBA::Long type, CORBA::ULongLong hundred_ns = 0) {
  qos.dependencies.length(qos.dependencies.length() + 1);
  admin::Dependency& term = qos.dependencies[qos.dependencies.length() - 1];
  term.event.header.source = source;
  term.event.header.type = type;
  term.event.header.ttl = 0;
  term.event.header.creation_time = hundred_ns;
  term.event.data.pad1 = 0;
  term.rt_info = 0;  // the priority is in the terms, below
}

static admin::ConsumerQOS wants() {
  admin::ConsumerQOS qos;
  qos.is_gateway = false;
  add(qos, 0, comm::CONJUNCTION_DESIGNATOR);  // all of these together
  add(qos, plant::kPressure, plant::kReading);
  add(qos, plant::kTemperature, plant::kReading);
  add(qos, 0, comm::DEADLINE_TIMEOUT, 200 * 10'000);  // 200 ms
  add(qos, 0, comm::DISJUNCTION_DESIGNATOR);  // each of these
  add(qos, plant::kControl, plant::kEnd);
  return qos;
}

int main(int argc, char** argv) {
  try {
    CORBA::ORB_var orb = CORBA::ORB_init(argc, argv);
    callis::shutdown_on_signals(orb);
    if (argc < 2) {
      std::cerr << "usage: realtime_server CHANNEL\n";
      return 2;
    }
    CORBA::Object_var object = orb->string_to_object(argv[1]);
    admin::EventChannel_var channel = admin::EventChannel::_narrow(object);
    if (CORBA::is_nil(channel)) {
      std::cerr << "realtime_server: that object is no real-time event channel\n";
      return 1;
    }
    object = orb->resolve_initial_references("RootPOA");
    PortableServer::POA_var poa = PortableServer::POA::_narrow(object);
    PortableServer::Servant_var<Monitor> monitor = new Monitor(orb);
    PortableServer::ObjectId_var id = poa->activate_object(monitor);
    object = poa->id_to_reference(id);
    comm::PushConsumer_var consumer = comm::PushConsumer::_narrow(object);
    PortableServer::POAManager_var(poa->the_POAManager())->activate();

    admin::ConsumerAdmin_var plain = channel->for_consumers();
    ConsumerAdmin_var consumers = CallisRealTimeEvents::ConsumerAdmin::_narrow(plain);  // with terms
    ConsumerTerms terms{};
    terms.priority = 80;  // in the channel's lane of that priority
    terms.sets = 100;     // that may wait
    terms.policy = CallisRealTimeEvents::DISCARD_OLDEST;
    CallisRealTimeEvents::ProxyPushSupplier_var from = consumers->obtain_push_supplier_with(terms);
    from->connect_push_consumer(consumer, wants());
    std::cout << "ready" << std::endl;
    orb->run();
    monitor->report();
    orb->destroy();
  } catch (const CORBA::Exception& e) {
    std::cerr << "realtime_server: " << e.what() << '\n';
    return 1;
  }
}
