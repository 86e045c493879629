// SPDX-License-Identifier: Apache-2.0
// Suppliers and consumers of a real-time channel, for tests of several processes and for load by hand:
//
//   callis_rtevents_peer push CHANNEL SOURCE TYPE COUNT TTL      events with the numbers 1 to COUNT
//   callis_rtevents_peer watch CHANNEL SOURCE TYPE COUNT         prints each, and ends after COUNT
//   callis_rtevents_peer measure CHANNEL CONSUMERS SECONDS BYTES WINDOW [PRIORITY [FLOOD]]
//
// measure: one supplier pushes events to CONSUMERS consumers of PRIORITY; at most WINDOW are under way. FLOOD further
// consumers of priority 0 take 1 ms for each event. Prints "events_per_s N", "p50_us N", "p99_us N" of a window.
#include <callis/corba.h>
#include <callis/messaging.h>
#include <callis/portable_server.h>
#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <vector>
#include "CallisRealTimeEvents.h"
#include "RtecEventComm_skel.h"

namespace {

namespace comm = RtecEventComm;
namespace admin = RtecEventChannelAdmin;
using Clock = std::chrono::steady_clock;

class Consumer final : public POA_RtecEventComm::PushConsumer {
 public:
  explicit Consumer(std::function<void(const comm::EventSet&)> f) : f_(std::move(f)) {}
  void push(const comm::EventSet& data) override { f_(data); }
  void disconnect_push_consumer() override {}

 private:
  const std::function<void(const comm::EventSet&)> f_;
};

struct Session {
  CORBA::ORB_ptr orb;
  CallisRealTimeEvents::EventChannel_var channel;
  PortableServer::POA_var poa;
  std::vector<PortableServer::Servant_var<Consumer>> servants;

  Session(CORBA::ORB_ptr its, const char* text) : orb(its) {
    CORBA::Object_var object = orb->string_to_object(text);
    channel = CallisRealTimeEvents::EventChannel::_narrow(object.in());
    if (CORBA::is_nil(channel.in())) throw CORBA::BAD_PARAM();
    object = orb->resolve_initial_references("RootPOA");
    poa = PortableServer::POA::_narrow(object.in());
    PortableServer::POAManager_var(poa->the_POAManager())->activate();
  }
  admin::ProxyPushSupplier_var consume(CORBA::Long source, CORBA::Long type, CORBA::Short priority,
                                       std::function<void(const comm::EventSet&)> f) {
    servants.emplace_back(new Consumer(std::move(f)));
    const PortableServer::ObjectId_var id = poa->activate_object(servants.back().in());
    const CORBA::Object_var object = poa->id_to_reference(id.in());
    const comm::PushConsumer_var consumer = comm::PushConsumer::_unchecked_narrow(object.in());
    admin::ConsumerQOS qos{};
    qos.dependencies.length(1);
    qos.dependencies[0].event.header = {type, source, 0, 0};
    CallisRealTimeEvents::ConsumerTerms terms{};
    terms.priority = priority;
    const admin::ConsumerAdmin_var plain = channel->for_consumers();
    const auto consumers = CallisRealTimeEvents::ConsumerAdmin_var(
        CallisRealTimeEvents::ConsumerAdmin::_unchecked_narrow(plain.in()));
    admin::ProxyPushSupplier_var out = consumers->obtain_push_supplier_with(terms);
    out->connect_push_consumer(consumer.in(), qos);
    return out;
  }
  // Each push returns when the channel has the events.
  admin::ProxyPushConsumer_var supply() {
    const admin::SupplierAdmin_var suppliers = channel->for_suppliers();
    const admin::ProxyPushConsumer_var plain = suppliers->obtain_push_consumer();
    plain->connect_push_supplier(comm::PushSupplier::_nil(), admin::SupplierQOS{});
    CORBA::Any value;
    value <<= Messaging::SYNC_WITH_TARGET;
    CORBA::PolicyList policies;
    policies.length(1);
    policies[0] = orb->create_policy(Messaging::SYNC_SCOPE_POLICY_TYPE, value);
    const CORBA::Object_var object = plain->_set_policy_overrides(policies, CORBA::ADD_OVERRIDE);
    return admin::ProxyPushConsumer::_unchecked_narrow(object.in());
  }
};

int number(char** argv, int at) { return std::atoi(argv[at]); }

void push(Session& session, char** argv) {
  const auto to = session.supply();
  comm::EventSet events;
  events.length(1);
  events[0].header = {number(argv, 4), number(argv, 3), number(argv, 6), 0};
  for (int i = 1; i <= number(argv, 5); ++i) {
    events[0].data.pad1 = i;
    to->push(events);
  }
  to->disconnect_push_consumer();
}

// Waits for the other threads.
class Count {
 public:
  void add() {
    const std::lock_guard lock(mutex_);
    ++count_;
    changed_.notify_one();
  }
  bool reach(std::uint64_t wanted) {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, std::chrono::seconds(120), [&] { return count_ >= wanted; });
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::uint64_t count_ = 0;
};

void watch(Session& session, char** argv) {
  Count count;
  const auto from = session.consume(number(argv, 3), number(argv, 4), 0, [&](const comm::EventSet& data) {
    for (CORBA::ULong i = 0; i < data.length(); ++i) {
      std::printf("%d with a ttl of %d\n", data[i].data.pad1, data[i].header.ttl);
      std::fflush(stdout);
      count.add();
    }
  });
  std::printf("connected\n");
  std::fflush(stdout);
  if (!count.reach(static_cast<std::uint64_t>(number(argv, 5)))) std::exit(3);
  from->disconnect_push_supplier();
}

void measure(Session& session, int argc, char** argv) {
  const int consumers = number(argv, 3), window = number(argv, 6);
  const auto priority = static_cast<CORBA::Short>(argc > 7 ? number(argv, 7) : 0);
  const int flood = argc > 8 ? number(argv, 8) : 0;
  Count count;
  std::vector<admin::ProxyPushSupplier_var> from;
  for (int i = 0; i < flood; ++i)
    from.push_back(session.consume(1, 20, 0, [](const comm::EventSet&) {
      for (const auto end = Clock::now() + std::chrono::milliseconds(1); Clock::now() < end;) {}
    }));
  for (int i = 0; i < consumers; ++i)
    from.push_back(session.consume(1, 20, priority, [&](const comm::EventSet&) { count.add(); }));
  const auto to = session.supply();
  comm::EventSet events;
  events.length(1);
  events[0].header = {20, 1, 0, 0};
  events[0].data.payload.length(static_cast<CORBA::ULong>(number(argv, 5)));
  std::vector<double> took;
  std::uint64_t sent = 0;
  const auto begin = Clock::now(), end = begin + std::chrono::seconds(number(argv, 4));
  while (Clock::now() < end) {
    const auto first = Clock::now();
    for (int i = 0; i < window; ++i) to->push(events);
    sent += static_cast<std::uint64_t>(window);
    if (!count.reach(sent * static_cast<std::uint64_t>(consumers))) std::exit(3);
    took.push_back(std::chrono::duration<double, std::micro>(Clock::now() - first).count());
  }
  const double seconds = std::chrono::duration<double>(Clock::now() - begin).count();
  std::sort(took.begin(), took.end());
  std::printf("events_per_s %.0f\np50_us %.1f\np99_us %.1f\n", static_cast<double>(sent) / seconds,
              took[took.size() / 2], took[took.size() * 99 / 100]);
  to->disconnect_push_consumer();
  for (const auto& f : from) f->disconnect_push_supplier();
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const CORBA::ORB_var orb = CORBA::ORB_init(argc, argv);
    const std::string what = argc > 1 ? argv[1] : "";
    if (!((what == "push" && argc == 7) || (what == "watch" && argc == 6) || (what == "measure" && argc >= 7)))
      return 2;
    {
      Session session(orb.in(), argv[2]);
      if (what == "push") push(session, argv);
      else if (what == "watch") watch(session, argv);
      else measure(session, argc, argv);
    }
    orb->destroy();
    return 0;
  } catch (const CORBA::Exception& e) {
    std::fprintf(stderr, "callis_rtevents_peer: %s\n", e.what());
    return 1;
  }
}
