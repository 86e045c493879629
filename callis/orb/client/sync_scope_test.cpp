// SPDX-License-Identifier: Apache-2.0
// SyncScope (CORBA Messaging): what a oneway waits for, and that requests held back arrive whole and in order.
#include <callis/orb/endpoint/held_oneways.h>
#include <callis/orb/testing/scripted_peer.h>
#include <gtest/gtest.h>
#include <algorithm>
#include <condition_variable>
#include <cstdlib>
#include <mutex>
#include <sys/wait.h>
#include <unistd.h>

namespace callis::orb {
namespace {

using namespace testing;

struct Scope {
  const char* scope;
  const char* endpoint;
  const char* version;
};

class EveryScope : public ::testing::TestWithParam<Scope> {
 protected:
  EchoServer server{{"-ORBEndpoint", GetParam().endpoint, "-ORBGIOPVersion", GetParam().version}};
  Counted<Core> client = make_core({"-ORBSyncScope", GetParam().scope, "-ORBGIOPVersion", GetParam().version});
  CORBA::Object_var object = server.object_for(*client);
  ~EveryScope() override {
    try {
      client->destroy();
    } catch (const CORBA::Exception&) {  // a test has done it
    }
  }
};

TEST_P(EveryScope, a_call_finds_the_oneways_before_it_done) {
  for (std::uint32_t i = 0; i < 300; ++i) {
    for (std::uint32_t k = 0; k <= i % 7; ++k) tell(object, 100 * i + k);
    EXPECT_EQ(call_ulong(object, "last", {}), 100 * i + i % 7);
  }
}

// Waits for requests at a server.
class Arrivals {
 public:
  explicit Arrivals(EchoServer& server) {
    server.handler.before = [this](ServerRequest&) {
      std::lock_guard lock(mutex_);
      ++arrived_;
      changed_.notify_all();
    };
  }
  int wait_for(int n) {
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, std::chrono::seconds(30), [&] { return arrived_ >= n; });
    return arrived_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  int arrived_ = 0;
};

TEST_P(EveryScope, all_oneways_arrive_though_no_call_follows) {
  Arrivals arrivals(server);
  for (std::uint32_t i = 0; i < 5000; ++i) tell(object, i);
  EXPECT_EQ(arrivals.wait_for(5000), 5000);
}

TEST_P(EveryScope, shutdown_sends_what_is_held) {
  Arrivals arrivals(server);
  for (std::uint32_t i = 1; i <= 100; ++i) tell(object, i);
  client->shutdown(true);
  EXPECT_EQ(arrivals.wait_for(100), 100) << "though nobody destroys the ORB yet";
}

// exit(), and returning from main(), which ends in it.
TEST_P(EveryScope, the_end_of_the_process_sends_what_is_held) {
  if (std::string_view(GetParam().endpoint).starts_with("memory")) GTEST_SKIP() << "of this process alone";
  Arrivals arrivals(server);
  const pid_t child = ::fork();
  if (child == 0) {
    ::alarm(60);  // of no use to anybody if it hangs
    for (std::uint32_t i = 1; i <= 100; ++i) tell(object, i);
    std::exit(0);
  }
  ASSERT_EQ(::waitpid(child, nullptr, 0), child);
  EXPECT_EQ(arrivals.wait_for(100), 100);
}

TEST_P(EveryScope, destroy_sends_what_is_held) {
  Arrivals arrivals(server);
  for (std::uint32_t i = 0; i < 10; ++i) tell(object, i);
  client->destroy();
  EXPECT_EQ(arrivals.wait_for(10), 10);
}

INSTANTIATE_TEST_SUITE_P(
    SyncScope, EveryScope,
    ::testing::Values(Scope{"none", "tcp:127.0.0.1:0", "1.2"}, Scope{"none", "tcp:127.0.0.1:0", "1.0"},
                      Scope{"none", "memory:scopes", "1.2"}, Scope{"transport", "tcp:127.0.0.1:0", "1.2"},
                      Scope{"server", "tcp:127.0.0.1:0", "1.2"}, Scope{"server", "tcp:127.0.0.1:0", "1.1"},
                      Scope{"target", "tcp:127.0.0.1:0", "1.2"}, Scope{"target", "tcp:127.0.0.1:0", "1.0"},
                      Scope{"target", "memory:scopes", "1.2"}),
    [](const auto& p) {
      std::string name = std::string(p.param.scope) + "_" + std::string(p.param.endpoint, 3) + "_" + p.param.version;
      std::replace(name.begin(), name.end(), '.', '_');
      return name;
    });

// An operation that the server refuses, called as a oneway.
void refused_oneway(CORBA::Object_ptr o) {
  ULongBody body;
  call(reference_of(o), {"nonsense", true, "nonsense"}, body);
}

TEST(SyncScope, target_tells_of_an_exception_and_the_others_do_not) {
  EchoServer server({"-ORBEndpoint", "tcp:127.0.0.1:0"});
  for (const char* scope : {"none", "transport", "server", "target"}) {
    auto client = make_core({"-ORBSyncScope", scope});
    CORBA::Object_var o = server.object_for(*client);
    for (int i = 0; i < 3; ++i) {
      if (std::string(scope) == "target") EXPECT_THROW(refused_oneway(o), CORBA::BAD_OPERATION);
      else EXPECT_NO_THROW(refused_oneway(o)) << scope;
    }
    EXPECT_EQ(echo(o, 7), 7u) << "the connection is in step";
    client->destroy();
  }
}

TEST(SyncScope, target_returns_after_the_servant) {
  EchoServer server({"-ORBEndpoint", "tcp:127.0.0.1:0"});
  auto client = make_core({"-ORBSyncScope", "target"});
  CORBA::Object_var o = server.object_for(*client);
  for (std::uint32_t i = 1; i < 100; ++i) {
    tell(o, i);
    EXPECT_EQ(server.handler.last, i);
  }
  client->destroy();
}

// Notes what is sent, or fails.
class NotingStream final : public transport::Stream {
 public:
  using Stream::receive;
  using Stream::send;
  transport::Transfer send(std::span<const ByteView> parts, Deadline) override {
    if (broken) return {0, Fault::ConnectionLost};
    std::size_t n = 0;
    for (const ByteView p : parts) {
      sent.append(reinterpret_cast<const char*>(p.data()), p.size());
      n += p.size();
    }
    ++sends;
    return {n};
  }
  transport::Transfer receive(MutableBytes, Deadline, TimePoint) override { return {0, Fault::ConnectionLost}; }
  bool quiet() override { return true; }
  void finish_sending() noexcept override {}
  void stop_receiving() noexcept override {}
  void shutdown() noexcept override {}
  const std::string& peer() const override { return name_; }
  const transport::Peer& peer_identity() const override { return identity_; }

  std::string sent;
  int sends = 0;
  bool broken = false;

 private:
  const std::string name_ = "noting";
  const transport::Peer identity_{};
};

struct Held : ::testing::Test {
  NotingStream stream;
  OnewayFlusher flusher{Duration(3'600'000)};  // sends nothing meanwhile
  std::shared_ptr<HeldOneways> held = std::make_shared<HeldOneways>(stream);
  transport::Transfer hold(std::string_view s) { return held->hold(bytes_of(s), {}, flusher, held); }
  ~Held() override { held->forget(); }
};

TEST_F(Held, goes_before_what_is_sent_next_in_one_piece) {
  ASSERT_TRUE(hold("one").ok());
  const ByteView two = bytes_of("two");
  const auto t = held->send({&two, 1}, {});
  EXPECT_TRUE(t.ok());
  EXPECT_EQ(t.bytes, 3u);
  EXPECT_EQ(stream.sent, "onetwo");
  EXPECT_EQ(stream.sends, 1);
}

TEST_F(Held, is_sent_when_there_is_no_more_room) {
  const std::string request(HeldOneways::kMostBytes / 4, 'x');
  for (int i = 0; i < 4; ++i) ASSERT_TRUE(hold(request).ok());
  EXPECT_EQ(stream.sends, 0);
  for (int i = 0; i < 5; ++i) ASSERT_TRUE(hold(request).ok());
  EXPECT_GE(stream.sent.size(), 8 * request.size());
  EXPECT_EQ(stream.sends, 2);
  held->forget();
  EXPECT_EQ(stream.sent.size(), 9 * request.size());
}

TEST_F(Held, reports_a_lost_connection_with_nothing_of_the_request_sent) {
  const std::string request(HeldOneways::kMostBytes, 'x');
  ASSERT_TRUE(hold(request).ok());
  stream.broken = true;
  const auto t = hold(request);
  EXPECT_EQ(t.fault, Fault::ConnectionLost);
  EXPECT_EQ(t.bytes, 0u);
}

TEST_F(Held, is_dropped_with_its_stream) {
  ASSERT_TRUE(hold("one").ok());
  stream.broken = true;
  held->forget();
  held->forget();
  EXPECT_EQ(stream.sent, "");
}

}  // namespace
}  // namespace callis::orb
