// SPDX-License-Identifier: Apache-2.0
// Load for an event channel of any ORB, for ./dev bench services and by hand:
//
//   callis_events_peer CHANNEL CONSUMERS SECONDS BYTES WINDOW [stopped]
//   callis_events_peer serve                          prints the reference of a consumer, until its input ends
//   callis_events_peer CONSUMER direct SECONDS BYTES  pushes to it, no channel between; prints "p50_us N"
//
// One supplier pushes events of so many bytes to CONSUMERS consumers of this process. At most WINDOW events are under
// way. With 1 the program measures the time from push() until the last consumer's servant has the event, without its
// own time to notice. stopped: one more consumer takes an event and never returns, until the end. Prints
// "events_per_s N" (by the slowest consumer), "p50_us N" of a window, "lost N".
#include <callis/corba.h>
#include <callis/portable_server.h>
#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <string>
#include <vector>
#include "CosEventChannelAdmin.h"
#include "CosEventComm_skel.h"

namespace {

using Clock = std::chrono::steady_clock;
namespace comm = CosEventComm;
namespace admin = CosEventChannelAdmin;

// Counts the events that all consumers have taken; the supplier waits for them.
class Window {
 public:
  explicit Window(std::size_t consumers) : taken_(consumers, 0) {}
  void took(std::size_t consumer) {
    const auto now = Clock::now();
    const std::lock_guard lock(mutex_);
    last_ = now;
    ++all_;
    const std::uint64_t before = taken_[consumer]++;
    if (before == least_) {
      least_ = *std::min_element(taken_.begin(), taken_.end());
      changed_.notify_one();
    }
  }
  // False: no consumer took anything for two seconds, and it has not come to that: events were lost.
  bool wait_for(std::uint64_t taken) {
    std::unique_lock lock(mutex_);
    for (;;) {
      const std::uint64_t before = all_;
      if (changed_.wait_for(lock, std::chrono::seconds(2), [&] { return least_ >= taken; })) return true;
      if (all_ == before) return false;
    }
  }
  // When a consumer took something last.
  Clock::time_point last() {
    const std::lock_guard lock(mutex_);
    return last_;
  }
  std::uint64_t least() {
    const std::lock_guard lock(mutex_);
    return least_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<std::uint64_t> taken_;
  std::uint64_t least_ = 0, all_ = 0;
  Clock::time_point last_{};
};

class Consumer final : public POA_CosEventComm::PushConsumer {
 public:
  Consumer(Window& window, std::size_t number) : window_(window), number_(number) {}
  void push(const CORBA::Any&) override { window_.took(number_); }
  void disconnect_push_consumer() override {}

 private:
  Window& window_;
  const std::size_t number_;
};

class Stopped final : public POA_CosEventComm::PushConsumer {
 public:
  void push(const CORBA::Any&) override {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return go_; });
  }
  void disconnect_push_consumer() override {}
  void go() {
    const std::lock_guard lock(mutex_);
    go_ = true;
    changed_.notify_all();
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool go_ = false;
};

admin::ProxyPushSupplier_var connect(admin::EventChannel_ptr channel, PortableServer::POA_ptr poa,
                                     PortableServer::ServantBase* servant) {
  const PortableServer::ObjectId_var id = poa->activate_object(servant);
  const CORBA::Object_var object = poa->id_to_reference(id.in());
  const comm::PushConsumer_var consumer = comm::PushConsumer::_unchecked_narrow(object.in());
  const admin::ConsumerAdmin_var consumers = channel->for_consumers();
  admin::ProxyPushSupplier_var out = consumers->obtain_push_supplier();
  out->connect_push_consumer(consumer.in());
  return out;
}

double median_of(std::vector<double>& all) {
  std::nth_element(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(all.size() / 2), all.end());
  return all[all.size() / 2];
}

CORBA::Any event_of(std::size_t bytes) {
  CORBA::Any out;
  out <<= std::string(bytes, 'x').c_str();
  return out;
}

struct Load {
  std::size_t consumers, bytes;
  std::chrono::seconds time;
  std::uint64_t window;
  bool stopped;
};

void measure(admin::EventChannel_ptr channel, PortableServer::POA_ptr poa, const Load& load) {
  Window window(load.consumers);
  std::vector<PortableServer::Servant_var<Consumer>> consumers;
  std::vector<admin::ProxyPushSupplier_var> proxies;
  for (std::size_t i = 0; i < load.consumers; ++i) {
    consumers.emplace_back(new Consumer(window, i));
    proxies.push_back(connect(channel, poa, consumers.back().in()));
  }
  const PortableServer::Servant_var<Stopped> stopped = new Stopped;
  if (load.stopped) proxies.push_back(connect(channel, poa, stopped.in()));
  const admin::SupplierAdmin_var suppliers = channel->for_suppliers();
  const admin::ProxyPushConsumer_var to = suppliers->obtain_push_consumer();
  to->connect_push_supplier(comm::PushSupplier::_nil());
  const CORBA::Any event = event_of(load.bytes);
  std::vector<double> took;
  std::uint64_t sent = 0, lost = 0;
  const auto begin = Clock::now(), end = begin + load.time;
  while (Clock::now() < end) {
    const auto first = Clock::now();
    for (std::uint64_t i = 0; i < load.window; ++i) to->push(event);
    sent += load.window;
    // Half of a window may be under way while the next is sent.
    const std::uint64_t wanted = load.window == 1 ? sent - lost : sent - lost - load.window / 2;
    if (!window.wait_for(wanted)) lost = sent - window.least();
    const auto until = load.window == 1 ? window.last() : Clock::now();
    took.push_back(std::chrono::duration<double, std::micro>(until - first).count());
  }
  (void)window.wait_for(sent - lost);
  const double seconds = std::chrono::duration<double>(Clock::now() - begin).count();
  std::printf("events_per_s %.0f\np50_us %.1f\nlost %llu\n", static_cast<double>(window.least()) / seconds,
              median_of(took), static_cast<unsigned long long>(lost));
  stopped->go();
  to->disconnect_push_consumer();
  for (auto& p : proxies) {
    try {
      p->disconnect_push_supplier();
    } catch (const CORBA::Exception&) {}  // the one that is stopped was dropped
  }
}

void serve(CORBA::ORB_ptr orb, PortableServer::POA_ptr poa) {
  Window window(1);
  const PortableServer::Servant_var<Consumer> consumer = new Consumer(window, 0);
  const PortableServer::ObjectId_var id = poa->activate_object(consumer.in());
  const CORBA::Object_var object = poa->id_to_reference(id.in());
  std::printf("%s\n", CORBA::String_var(orb->object_to_string(object.in())).in());
  std::fflush(stdout);
  while (std::getchar() != EOF) {}
}

void push_directly(CORBA::Object_ptr object, std::chrono::seconds time, std::size_t bytes) {
  const comm::PushConsumer_var to = comm::PushConsumer::_narrow(object);
  const CORBA::Any event = event_of(bytes);
  std::vector<double> took;
  const auto end = Clock::now() + time;
  while (Clock::now() < end) {
    const auto first = Clock::now();
    to->push(event);
    took.push_back(std::chrono::duration<double, std::micro>(Clock::now() - first).count());
  }
  std::printf("p50_us %.1f\n", median_of(took));
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const CORBA::ORB_var orb = CORBA::ORB_init(argc, argv);
    CORBA::Object_var object = orb->resolve_initial_references("RootPOA");
    const PortableServer::POA_var poa = PortableServer::POA::_narrow(object.in());
    PortableServer::POAManager_var(poa->the_POAManager())->activate();
    if (argc == 2 && std::string(argv[1]) == "serve") {
      serve(orb.in(), poa.in());
      orb->destroy();
      return 0;
    }
    if (argc < 5) return 2;
    object = orb->string_to_object(argv[1]);
    if (std::string(argv[2]) == "direct") {
      push_directly(object.in(), std::chrono::seconds(std::atoi(argv[3])), std::strtoul(argv[4], nullptr, 10));
      orb->destroy();
      return 0;
    }
    if (argc < 6) return 2;
    const admin::EventChannel_var channel = admin::EventChannel::_narrow(object.in());
    measure(channel.in(), poa.in(),
            {std::strtoul(argv[2], nullptr, 10), std::strtoul(argv[4], nullptr, 10),
             std::chrono::seconds(std::atoi(argv[3])), std::strtoull(argv[5], nullptr, 10), argc > 6});
    orb->destroy();
    return 0;
  } catch (const CORBA::Exception& e) {
    std::fprintf(stderr, "callis_events_peer: %s\n", e._name());
    return 1;
  }
}
