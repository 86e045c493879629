// SPDX-License-Identifier: Apache-2.0
// How many connections calls share, and calls from inside upcalls, which must not wait behind others.
#include <gtest/gtest.h>
#include <callis/orb/endpoint/endpoint.h>
#include <callis/orb/endpoint/shared_pool.h>
#include <callis/orb/server/server.h>
#include <callis/orb/testing/peer_stream.h>
#include <callis/orb/testing/shared_client.h>
#include <callis/transport/memory/memory.h>
#include <fstream>
#include <future>
#include <unistd.h>

namespace callis::orb {
namespace {

using namespace testing;

// --- How many there are ---

// Answers when so many calls run at once.
struct Together final : RequestHandler {
  explicit Together(int n) : wanted(n) {}
  void handle(ServerRequest& r) noexcept override {
    const auto v = r.arguments().get_ulong();
    std::unique_lock lock(mutex);
    ++here;
    changed.notify_all();
    changed.wait(lock, [this] { return here >= wanted; });
    r.reply().put_ulong(v);
  }
  Locate locate(ByteView, ior::Ior&) noexcept override { return Locate::Here; }
  std::mutex mutex;
  std::condition_variable changed;
  const int wanted;
  int here = 0;
};

TEST(SharedPool, threads_have_their_places_among_several) {
  EchoServer server({"-ORBEndpoint", "tcp:127.0.0.1:0"});
  SharingClient client({"-ORBMaxConnectionsPerServer", "3"});
  auto o = server.object_for(*client.core);
  for (int round = 0; round < 3; ++round)
    for (auto& r : call_each(9, [&](std::uint32_t v) { return echo(o, v); })) (void)r.get();
  const auto n = endpoint_of(o).shared()->connections().size();
  EXPECT_GE(n, 2u);
  EXPECT_LE(n, 3u);
}

TEST(SharedPool, exclusive_ones_are_used_up_to_the_maximum_and_the_last_is_shared) {
  Together handler(2);  // two at once on connections of their own, whatever the others do
  EchoServer server({"-ORBEndpoint", "tcp:127.0.0.1:0"}, {}, &handler);
  auto client = make_core({"-ORBMaxConnectionsPerServer", "3"});
  auto o = server.object_for(*client);
  auto results = call_each(8, [&](std::uint32_t v) { return echo(o, v); });
  for (std::uint32_t v = 1; v <= 8; ++v) EXPECT_EQ(results[v - 1].get(), v);
  EXPECT_LE(server.core->server().connections(), 3u);
  EXPECT_GE(server.core->server().connections(), 2u);
  client->destroy();
}

// --- While another thread connects ---

struct Silent final : transport::MemoryConnection {
  bool bytes_in(ByteView, Buffer&) override { return true; }
};

// Whether a thread of this process waits for something.
bool sleeps(pid_t thread) {
  std::ifstream stat("/proc/self/task/" + std::to_string(thread) + "/stat");
  std::string number, name, state;
  stat >> number >> name >> state;
  return state == "S";
}

TEST(SharedPool, an_opener_that_throws_leaves_nobody_waiting) {
  int tried = 0;
  SharedPool pool(1, [&](Deadline) -> Result<std::shared_ptr<SharedConnection>> {
    ++tried;
    throw std::runtime_error("no thread");
  });
  for (int i = 1; i <= 2; ++i) {
    const auto made = pool.open(false, Clock::steady().now(), Deadline());
    EXPECT_EQ(made.fault(), Fault::TransportFailed);
    EXPECT_EQ(made.error().detail, "no thread");
    EXPECT_EQ(tried, i);
  }
}

TEST(SharedPool, an_opener_that_throws_no_std_exception_leaves_nobody_waiting) {
  int tried = 0;
  SharedPool pool(1, [&](Deadline) -> Result<std::shared_ptr<SharedConnection>> { throw ++tried; });
  for (int i = 1; i <= 2; ++i) {
    EXPECT_THROW((void)pool.open(false, Clock::steady().now(), Deadline::in(Duration{10'000})), int);
    EXPECT_EQ(tried, i);
  }
}

TEST(SharedPool, who_waits_for_a_connection_that_is_closed_at_once_opens_its_own) {
  std::atomic<pid_t> waiter{0};
  std::promise<void> opening;
  int opened = 0;
  SharedPool* opens_for = nullptr;
  SharedPool pool(1, [&](Deadline) -> Result<std::shared_ptr<SharedConnection>> {
    if (++opened == 1) {
      opening.set_value();
      while (waiter == 0 || !sleeps(waiter)) std::this_thread::yield();
      opens_for->close_all(true);  // as destroy() of the ORB does
    }
    return std::make_shared<SharedConnection>(transport::make_memory_stream(std::make_unique<Silent>(), "silent"),
                                              Limits{}, 0, std::chrono::microseconds{});
  });
  opens_for = &pool;
  const auto open = [&pool] { return pool.open(false, Clock::steady().now(), Deadline()); };
  auto one = std::async(std::launch::async, open);
  opening.get_future().wait();
  auto other = std::async(std::launch::async, [&] {
    waiter = gettid();
    return open();
  });
  for (auto* r : {&one, &other}) {
    const auto c = r->get();
    ASSERT_TRUE(c.ok()) << c.error().text();
    EXPECT_TRUE(c.value());
  }
  EXPECT_EQ(opened, 2);
}

TEST(SharedPool, who_waits_for_a_connection_that_another_opens_does_so_until_its_own_deadline) {
  std::promise<void> opening, go_on;
  SharedPool pool(1, [&](Deadline) -> Result<std::shared_ptr<SharedConnection>> {
    opening.set_value();
    go_on.get_future().wait();  // as for a name server that does not answer
    return Error{Fault::ResolveFailed, 0, "no such host"};
  });
  auto patient =
      std::async(std::launch::async, [&] { return pool.open(false, Clock::steady().now(), Deadline()).fault(); });
  opening.get_future().wait();
  EXPECT_EQ(pool.open(false, Clock::steady().now(), Deadline::in(Duration(20))).fault(), Fault::ConnectTimeout);
  go_on.set_value();
  EXPECT_EQ(patient.get(), Fault::ResolveFailed);
}

// --- A server that does not read ---

TEST(SharedConnection, a_request_whose_deadline_passes_half_sent_is_sent_whole_by_the_next) {
  std::promise<void> timed_out;
  auto has_timed_out = timed_out.get_future();
  std::atomic<int> connections{0};
  std::vector<std::string> seen;
  TcpPeer peer([&](transport::Stream& s, int n) {
    connections = n;
    has_timed_out.wait();
    PeerStream p(s);
    while (const auto r = p.next()) {
      seen.push_back(r->operation);
      if (r->operation == "echo") p.reply(*r, r->argument);
    }
  });
  SentOctets large(12u << 20);  // more than the socket's buffers hold
  {
    SharingClient client({"-ORBCallTimeout", "200"});
    auto o = peer.object(*client.core);
    const auto e = caught<CORBA::TIMEOUT>([&] { call(reference_of(o), {"large"}, large); });
    EXPECT_EQ(e.completed(), CORBA::COMPLETED_MAYBE) << "the rest follows";
    EXPECT_EQ(caught<CORBA::TIMEOUT>([&] { echo(o, 1); }).completed(), CORBA::COMPLETED_NO) << "not even begun";
    timed_out.set_value();
    std::uint32_t answer = 0;
    while (answer != 2) {
      try {
        answer = echo(o, 2);
      } catch (const CORBA::TIMEOUT& t) {
        EXPECT_EQ(counts_of(o).pending, 0u);
      }
    }
    EXPECT_EQ(connections, 1);
  }
  ASSERT_GE(seen.size(), 2u);
  EXPECT_EQ(seen[0], "large");
}

// --- Calls from inside upcalls ---

// Two servers call each other, each from inside the other's upcall, depth times.
void nest(const std::vector<std::string>& one_args, const std::vector<std::string>& other_args, std::uint32_t depth) {
  EchoServer one(one_args), other(other_args);
  CORBA::Object_var to_other = other.object_for(*one.core), to_one = one.object_for(*other.core);
  std::atomic<std::uint32_t> left{depth};
  const auto on = [&left](CORBA::Object_ptr next) {
    return [&left, next](ServerRequest& r) {
      if (r.operation() != "echo" || left == 0) return;
      --left;
      EXPECT_EQ(echo(next, 7), 7u);
    };
  };
  one.handler.before = on(to_other);
  other.handler.before = on(to_one);
  EXPECT_EQ(echo(to_other, 5), 5u);
  EXPECT_EQ(left, 0u);
}

TEST(NestedCalls, twenty_deep_over_exclusive_connections) {
  nest({"-ORBEndpoint", "tcp:127.0.0.1:0"}, {"-ORBEndpoint", "tcp:127.0.0.1:0"}, 20);
}

TEST(NestedCalls, twenty_deep_over_shared_connections) {
  nest({"-ORBEndpoint", "tcp:127.0.0.1:0", "-ORBClientConnections", "shared"},
       {"-ORBEndpoint", "tcp:127.0.0.1:0", "-ORBClientConnections", "shared"}, 20);
}

TEST(NestedCalls, twenty_deep_over_a_few_connections) {
  nest({"-ORBEndpoint", "tcp:127.0.0.1:0", "-ORBMaxConnectionsPerServer", "2"},
       {"-ORBEndpoint", "tcp:127.0.0.1:0", "-ORBClientConnections", "shared", "-ORBMaxConnectionsPerServer", "2"},
       20);
}

TEST(NestedCalls, twenty_deep_over_the_memory_transport) {
  nest({"-ORBEndpoint", "memory:nest-1", "-ORBClientConnections", "shared"},
       {"-ORBEndpoint", "memory:nest-2", "-ORBClientConnections", "shared"}, 20);
}

TEST(NestedCalls, of_many_threads_at_once_over_shared_connections) {
  EchoServer one({"-ORBEndpoint", "tcp:127.0.0.1:0", "-ORBClientConnections", "shared"});
  EchoServer other({"-ORBEndpoint", "tcp:127.0.0.1:0", "-ORBClientConnections", "shared"});
  CORBA::Object_var to_other = other.object_for(*one.core), to_one = one.object_for(*other.core);
  // last() at one asks last() at the other, which asks echo() at one.
  one.handler.before = [&](ServerRequest& r) {
    if (r.operation() == "last") one.handler.last = call_ulong(to_other, "last", {});
  };
  other.handler.before = [&](ServerRequest& r) {
    if (r.operation() == "last") other.handler.last = echo(to_one, 9);
  };
  SharingClient client;
  auto o = one.object_for(*client.core);
  auto results = call_each(4, [&](std::uint32_t) {
    std::uint32_t wrong = 0;
    for (int i = 0; i < 50; ++i) wrong += call_ulong(o, "last", {}) != 9;
    return wrong;
  });
  for (auto& r : results) EXPECT_EQ(r.get(), 0u);
}

}  // namespace
}  // namespace callis::orb
