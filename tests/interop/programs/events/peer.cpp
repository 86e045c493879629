// SPDX-License-Identifier: Apache-2.0
// A supplier or a consumer of an event channel, of either kind, with callis or omniORB:
//
//   peer pushsupp|pullsupp|pushcons|pullcons CHANNEL COUNT [ORB options]
//
// Suppliers give the numbers from 0 to COUNT - 1. Consumers print "connected", then "got N" for each event, and end
// after COUNT of them.
#ifdef INTEROP_OMNIORB
#include <CosEventChannelAdmin.hh>
#else
#include <callis/corba.h>
#include <callis/portable_server.h>
#include "CosEventChannelAdmin_skel.h"
#include "CosEventComm_skel.h"
#endif
#include <condition_variable>
#include <mutex>
#include <string>
#include "channel_peer.h"

namespace {

namespace comm = CosEventComm;
namespace admin = CosEventChannelAdmin;

// Something that a request does, and the main thread waits for.
class Done {
 public:
  void set() {
    const std::lock_guard<std::mutex> lock(mutex_);
    done_ = true;
    changed_.notify_all();
  }
  void wait() {
    std::unique_lock<std::mutex> lock(mutex_);
    changed_.wait(lock, [this] { return done_; });
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool done_ = false;
};

void show(const CORBA::Any& event) {
  CORBA::Long n = -1;
  if (event >>= n) say("got " + std::to_string(n));
  else say("got something else");
}

class Consumer : public POA_CosEventComm::PushConsumer {
 public:
  explicit Consumer(CORBA::Long count) : left_(count) {}
  void push(const CORBA::Any& data) override {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (left_ == 0) return;
    show(data);
    if (--left_ == 0) done.set();
  }
  void disconnect_push_consumer() override {
    say("disconnected");
    done.set();
  }
  Done done;

 private:
  std::mutex mutex_;
  CORBA::Long left_;
};

class Supplier : public POA_CosEventComm::PullSupplier {
 public:
  explicit Supplier(CORBA::Long count) : count_(count) {}
  CORBA::Any* pull() override {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (next_ < count_) return next();
    done.set();
    throw comm::Disconnected();
  }
  CORBA::Any* try_pull(CORBA::Boolean& has_event) override {
    const std::lock_guard<std::mutex> lock(mutex_);
    has_event = next_ < count_;
    if (has_event) return next();
    done.set();
    return new CORBA::Any;
  }
  void disconnect_pull_supplier() override { say("disconnected"); }
  Done done;

 private:
  CORBA::Any* next() {
    CORBA::Any* const out = new CORBA::Any;
    *out <<= next_++;
    return out;
  }
  std::mutex mutex_;
  CORBA::Long next_ = 0;
  const CORBA::Long count_;
};

template <class Interface, class Servant>
typename Interface::_ptr_type activated(PortableServer::POA_ptr poa, Servant* servant) {
  const PortableServer::ObjectId_var id = poa->activate_object(servant);
  const CORBA::Object_var object = poa->id_to_reference(id.in());
  return Interface::_narrow(object.in());
}

void run(const std::string& kind, admin::EventChannel_ptr channel, PortableServer::POA_ptr poa, CORBA::Long count) {
  if (kind == "pushsupp") {
    const admin::SupplierAdmin_var suppliers = channel->for_suppliers();
    const admin::ProxyPushConsumer_var to = suppliers->obtain_push_consumer();
    to->connect_push_supplier(comm::PushSupplier::_nil());
    for (CORBA::Long i = 0; i < count; ++i) {
      CORBA::Any event;
      event <<= i;
      to->push(event);
    }
    to->disconnect_push_consumer();
  } else if (kind == "pullsupp") {
    Supplier* const servant = new Supplier(count);
    const comm::PullSupplier_var supplier = activated<comm::PullSupplier>(poa, servant);
    const admin::SupplierAdmin_var suppliers = channel->for_suppliers();
    const admin::ProxyPullConsumer_var to = suppliers->obtain_pull_consumer();
    to->connect_pull_supplier(supplier.in());
    servant->done.wait();
    to->disconnect_pull_consumer();
  } else if (kind == "pushcons") {
    Consumer* const servant = new Consumer(count);
    const comm::PushConsumer_var consumer = activated<comm::PushConsumer>(poa, servant);
    const admin::ConsumerAdmin_var consumers = channel->for_consumers();
    const admin::ProxyPushSupplier_var from = consumers->obtain_push_supplier();
    from->connect_push_consumer(consumer.in());
    say("connected");
    servant->done.wait();
    from->disconnect_push_supplier();
  } else {
    const admin::ConsumerAdmin_var consumers = channel->for_consumers();
    const admin::ProxyPullSupplier_var from = consumers->obtain_pull_supplier();
    from->connect_pull_consumer(comm::PullConsumer::_nil());
    say("connected");
    for (CORBA::Long i = 0; i < count;) {
      try {
        const CORBA::Any_var event = from->pull();
        show(event.in());
        ++i;
      } catch (const CORBA::TRANSIENT&) {  // omniEvents's way to say "not yet"; omniORB calls again by itself
      }
    }
    from->disconnect_pull_supplier();
  }
  say("done");
}

}  // namespace

int main(int argc, char** argv) { return run_peer<admin::EventChannel>(argc, argv, run); }
