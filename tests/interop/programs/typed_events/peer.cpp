// SPDX-License-Identifier: Apache-2.0
// A supplier or a consumer of a typed event channel, of either kind, with callis or omniORB:
//
//   peer pushsupp|pullsupp|pushcons|pullcons|refused CHANNEL COUNT [ORB options]
//
// Suppliers give measurements 0 to COUNT - 1, and before each fifth of them a start; those that push give an alarm
// before each tenth, and one in the end. Consumers print "connected", then a line for each event. A pushcons ends
// when its input does, a pullcons when it has got COUNT measurements and their starts. refused prints how the channel
// refuses what is wrong. jacorb/src/typed_events/Client.java does the same.
#ifdef INTEROP_OMNIORB
#include <CosTypedEventChannelAdmin.hh>
#include <plant.hh>
#else
#include <callis/corba.h>
#include <callis/portable_server.h>
#include "CosTypedEventChannelAdmin.h"
#include "CosTypedEventComm_skel.h"
#include "plant_skel.h"
#endif
#include <condition_variable>
#include <mutex>
#include <string>
#include "../events/channel_peer.h"

namespace {

namespace comm = CosEventComm;
namespace plain = CosEventChannelAdmin;
namespace typed = CosTypedEventChannelAdmin;

constexpr const char *kSensor = "IDL:Plant/Sensor:1.0", *kPullSensor = "IDL:Plant/PullSensor:1.0";
constexpr CORBA::Long kStartEvery = 5, kAlarmEvery = 10;

CORBA::Long events_of(CORBA::Long count, CORBA::Long every) { return (count + every - 1) / every; }

// Something that requests count down, and the main thread waits for.
class Left {
 public:
  explicit Left(CORBA::Long count) : left_(count) {}
  void one_less() {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (--left_ == 0) none_.notify_all();
  }
  void wait_for_none() {
    std::unique_lock<std::mutex> lock(mutex_);
    none_.wait(lock, [this] { return left_ <= 0; });
  }

 private:
  std::mutex mutex_;
  std::condition_variable none_;
  CORBA::Long left_;
};

Plant::Reading reading(CORBA::Long number) {
  Plant::Reading out;
  out.place = CORBA::string_dup("mill");
  out.value = number / 2.0;
  out.history.length(static_cast<CORBA::ULong>(number % 3));
  for (CORBA::ULong i = 0; i < out.history.length(); ++i) out.history[i] = -number;
  return out;
}

std::string oven(CORBA::Long number) { return "oven " + std::to_string(number); }

void show_measured(const Plant::Reading& what, CORBA::Long number) {
  std::string line = "measured " + std::to_string(number) + " " + static_cast<const char*>(what.place) + " " +
                     std::to_string(static_cast<int>(what.value * 2));
  for (CORBA::ULong i = 0; i < what.history.length(); ++i) line += " " + std::to_string(what.history[i]);
  say(line);
}

// ---- the push model ----

class Sensor : public POA_Plant::Sensor {
  void measured(const Plant::Reading& what, CORBA::Long number) override { show_measured(what, number); }
  void started(const char* place) override { say(std::string("started ") + place); }
  void alarm(const char* place, CORBA::Object_ptr who) override {
    say(std::string("alarm ") + place + (CORBA::is_nil(who) ? " nobody" : " somebody"));
  }
};

class Other : public POA_Plant::Other {
  void unknown(CORBA::Long) override {}
  void alarm(CORBA::Long) override {}
};

class Consumer : public POA_CosTypedEventComm::TypedPushConsumer {
 public:
  explicit Consumer(CORBA::Object_ptr object) : object_(CORBA::Object::_duplicate(object)) {}
  CORBA::Object_ptr get_typed_consumer() override { return CORBA::Object::_duplicate(object_.in()); }
  void push(const CORBA::Any&) override { say("an event without a type"); }
  void disconnect_push_consumer() override { say("disconnected"); }

 private:
  const CORBA::Object_var object_;
};

class UntypedConsumer : public POA_CosEventComm::PushConsumer {
  void push(const CORBA::Any&) override {}
  void disconnect_push_consumer() override {}
};

// ---- the pull model ----

class PullSensor : public POA_Plant::PullSensor {
 public:
  explicit PullSensor(CORBA::Long count) : left(count + events_of(count, kStartEvery)), count_(count) {}
  void pull_measured(Plant::Reading_out, CORBA::Long&) override { throw CORBA::NO_IMPLEMENT(); }
  void pull_started(CORBA::String_out) override { throw CORBA::NO_IMPLEMENT(); }
  CORBA::Boolean try_pull_measured(Plant::Reading_out what, CORBA::Long& number) override {
    const std::lock_guard<std::mutex> lock(mutex_);
    const bool has = measured_ < count_;
    number = has ? measured_++ : 0;
    what = new Plant::Reading(reading(number));
    if (has) left.one_less();
    return has;
  }
  CORBA::Boolean try_pull_started(CORBA::String_out place) override {
    const std::lock_guard<std::mutex> lock(mutex_);
    const bool has = started_ < count_;
    place = CORBA::string_dup(has ? oven(started_).c_str() : "");
    if (!has) return false;
    started_ += kStartEvery;
    left.one_less();
    return true;
  }
  Left left;

 private:
  std::mutex mutex_;
  CORBA::Long measured_ = 0, started_ = 0;
  const CORBA::Long count_;
};

class Supplier : public POA_CosTypedEventComm::TypedPullSupplier {
 public:
  explicit Supplier(CORBA::Object_ptr object) : object_(CORBA::Object::_duplicate(object)) {}
  CORBA::Object_ptr get_typed_supplier() override { return CORBA::Object::_duplicate(object_.in()); }
  CORBA::Any* pull() override { throw CORBA::NO_IMPLEMENT(); }
  CORBA::Any* try_pull(CORBA::Boolean&) override { throw CORBA::NO_IMPLEMENT(); }
  void disconnect_pull_supplier() override { say("disconnected"); }

 private:
  const CORBA::Object_var object_;
};

CORBA::Object_ptr activated(PortableServer::POA_ptr poa, PortableServer::Servant servant) {
  const PortableServer::ObjectId_var id = poa->activate_object(servant);
  return poa->id_to_reference(id.in());
}

// ---- what a peer does ----

void push_all(Plant::Sensor_ptr to, CORBA::Long count) {
  for (CORBA::Long i = 0; i < count; ++i) {
    if (i % kAlarmEvery == 0) to->alarm("gate", i % (2 * kAlarmEvery) == 0 ? to : CORBA::Object::_nil());
    if (i % kStartEvery == 0) to->started(oven(i).c_str());
    to->measured(reading(i), i);
  }
}

void push_supplier(typed::TypedEventChannel_ptr channel, CORBA::Long count) {
  const typed::TypedSupplierAdmin_var suppliers = channel->for_suppliers();
  const typed::TypedProxyPushConsumer_var proxy = suppliers->obtain_typed_push_consumer(kSensor);
  proxy->connect_push_supplier(comm::PushSupplier::_nil());
  const CORBA::Object_var object = proxy->get_typed_consumer();
  const Plant::Sensor_var sensor = Plant::Sensor::_narrow(object.in());
  push_all(sensor.in(), count);
  sensor->alarm("end", CORBA::Object::_nil());  // returns when those before it, oneways, have come
  proxy->disconnect_push_consumer();
}

void pull_supplier(typed::TypedEventChannel_ptr channel, PortableServer::POA_ptr poa, CORBA::Long count) {
  PullSensor* const sensor = new PullSensor(count);
  const CORBA::Object_var object = activated(poa, sensor);
  const CORBA::Object_var reference = activated(poa, new Supplier(object.in()));
  const comm::PullSupplier_var supplier = comm::PullSupplier::_narrow(reference.in());
  const typed::TypedSupplierAdmin_var suppliers = channel->for_suppliers();
  const plain::ProxyPullConsumer_var proxy = suppliers->obtain_typed_pull_consumer(kPullSensor);
  proxy->connect_pull_supplier(supplier.in());
  sensor->left.wait_for_none();
  proxy->disconnect_pull_consumer();
}

void push_consumer(typed::TypedEventChannel_ptr channel, PortableServer::POA_ptr poa) {
  const CORBA::Object_var object = activated(poa, new Sensor);
  const CORBA::Object_var reference = activated(poa, new Consumer(object.in()));
  const comm::PushConsumer_var consumer = comm::PushConsumer::_narrow(reference.in());
  const typed::TypedConsumerAdmin_var consumers = channel->for_consumers();
  const plain::ProxyPushSupplier_var proxy = consumers->obtain_typed_push_supplier(kSensor);
  proxy->connect_push_consumer(consumer.in());
  say("connected");
  while (std::getchar() != EOF) {
  }
  proxy->disconnect_push_supplier();
}

void pull_consumer(typed::TypedEventChannel_ptr channel, CORBA::Long count) {
  const typed::TypedConsumerAdmin_var consumers = channel->for_consumers();
  const typed::TypedProxyPullSupplier_var proxy = consumers->obtain_typed_pull_supplier(kPullSensor);
  proxy->connect_pull_consumer(comm::PullConsumer::_nil());
  const CORBA::Object_var object = proxy->get_typed_supplier();
  const Plant::PullSensor_var sensor = Plant::PullSensor::_narrow(object.in());
  say("connected");
  Plant::Reading_var what;
  CORBA::Long number = -1;
  for (CORBA::Long i = 0; i < count; ++i) {
    sensor->pull_measured(what.out(), number);
    show_measured(what.in(), number);
  }
  for (CORBA::Long i = 0; i < events_of(count, kStartEvery); ++i) {
    CORBA::String_var place;
    sensor->pull_started(place.out());
    say(std::string("started ") + place.in());
  }
  CORBA::String_var place;
  if (sensor->try_pull_started(place.out())) say("one start too many");
  if (sensor->try_pull_measured(what.out(), number)) say("one measurement too many");
  proxy->disconnect_pull_supplier();
}

// ---- what is refused ----

template <class F>
void refused(const std::string& what, F&& call) {
  try {
    call();
    say(what + ": done");
  } catch (const CORBA::Exception& e) {
    say(what + ": " + e._name());
  }
}

void refuse_keys(typed::TypedSupplierAdmin_ptr suppliers, typed::TypedConsumerAdmin_ptr consumers) {
  refused("supported, push", [&] { suppliers->obtain_typed_push_consumer("IDL:Plant/WithOut:1.0"); });
  refused("supported, pull", [&] { consumers->obtain_typed_pull_supplier(kSensor); });
  refused("used, push", [&] { consumers->obtain_typed_push_supplier("IDL:Plant/Nobody:1.0"); });
  refused("used, pull", [&] { suppliers->obtain_typed_pull_consumer("IDL:Plant/OnlyPulls:1.0"); });
}

void refuse_consumers(typed::TypedConsumerAdmin_ptr consumers, PortableServer::POA_ptr poa) {
  const plain::ProxyPushSupplier_var proxy = consumers->obtain_typed_push_supplier(kSensor);
  const auto connect = [&](PortableServer::Servant servant) {
    const CORBA::Object_var reference = activated(poa, servant);
    const comm::PushConsumer_var consumer = comm::PushConsumer::_narrow(reference.in());
    proxy->connect_push_consumer(consumer.in());
  };
  const CORBA::Object_var other = activated(poa, new Other), sensor = activated(poa, new Sensor);
  refused("nil", [&] { proxy->connect_push_consumer(comm::PushConsumer::_nil()); });
  refused("untyped", [&] { connect(new UntypedConsumer); });
  refused("of another type", [&] { connect(new Consumer(other.in())); });
  refused("without an object", [&] { connect(new Consumer(CORBA::Object::_nil())); });
  refused("of its type", [&] { connect(new Consumer(sensor.in())); });
  refused("again", [&] { connect(new Consumer(sensor.in())); });
  proxy->disconnect_push_supplier();
  refused("after that", [&] { connect(new Consumer(sensor.in())); });
}

void refuse_calls(typed::TypedSupplierAdmin_ptr suppliers, typed::TypedConsumerAdmin_ptr consumers) {
  const typed::TypedProxyPushConsumer_var proxy = suppliers->obtain_typed_push_consumer(kSensor);
  CORBA::Object_var object = proxy->get_typed_consumer();
  for (const char* id : {kSensor, "IDL:Plant/Base:1.0", "IDL:Plant/Other:1.0"})
    say(std::string("is ") + id + ": " + (object->_is_a(id) ? "yes" : "no"));
  const Plant::Sensor_var sensor = Plant::Sensor::_narrow(object.in());
  refused("not connected", [&] { sensor->alarm("", CORBA::Object::_nil()); });
  proxy->connect_push_supplier(comm::PushSupplier::_nil());
  refused("connected", [&] { sensor->alarm("", CORBA::Object::_nil()); });
  refused("connected twice", [&] { proxy->connect_push_supplier(comm::PushSupplier::_nil()); });
  proxy->disconnect_push_consumer();
  refused("disconnected", [&] { sensor->alarm("", CORBA::Object::_nil()); });
  const typed::TypedProxyPullSupplier_var from = consumers->obtain_typed_pull_supplier(kPullSensor);
  object = from->get_typed_supplier();
  const Plant::PullSensor_var pulled = Plant::PullSensor::_narrow(object.in());
  CORBA::String_var place;
  refused("pull, not connected", [&] { pulled->pull_started(place.out()); });
  from->connect_pull_consumer(comm::PullConsumer::_nil());
  refused("try, connected", [&] { pulled->try_pull_started(place.out()); });
  from->disconnect_pull_supplier();
  refused("pull, disconnected", [&] { pulled->pull_started(place.out()); });
}

void run(const std::string& kind, typed::TypedEventChannel_ptr channel, PortableServer::POA_ptr poa,
         CORBA::Long count) {
  if (kind == "pushsupp") push_supplier(channel, count);
  else if (kind == "pullsupp") pull_supplier(channel, poa, count);
  else if (kind == "pushcons") push_consumer(channel, poa);
  else if (kind == "pullcons") pull_consumer(channel, count);
  if (kind == "refused") {
    const typed::TypedSupplierAdmin_var suppliers = channel->for_suppliers();
    const typed::TypedConsumerAdmin_var consumers = channel->for_consumers();
    refuse_keys(suppliers.in(), consumers.in());
    refuse_consumers(consumers.in(), poa);
    refuse_calls(suppliers.in(), consumers.in());
  }
  say("done");
}

}  // namespace

int main(int argc, char** argv) { return run_peer<typed::TypedEventChannel>(argc, argv, run); }
