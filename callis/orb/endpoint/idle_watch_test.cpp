// SPDX-License-Identifier: Apache-2.0
// Connections that no call uses, and whose server closes them (CORBA 3.3 part 2, 9.4.7).
#include <gtest/gtest.h>
#include <callis/orb/endpoint/endpoint.h>
#include <callis/orb/endpoint/endpoint_directory.h>
#include <callis/orb/endpoint/idle_watch.h>
#include <callis/orb/testing/peer_stream.h>
#include <filesystem>
#include <fstream>
#include <functional>
#include <future>
#include <sys/eventfd.h>
#include <sys/wait.h>
#include <unistd.h>

namespace callis::orb {
namespace {

using namespace testing;
using Ending = std::function<void(transport::Stream&, const PeerStream::Request&)>;
using Way = std::vector<std::string>;

// Answers one call on each connection, ends the connection in a way of its own, and says when the client has let its
// socket go.
class EndingPeer final {
 public:
  explicit EndingPeer(Ending ending) : peer_([this, ending = std::move(ending)](transport::Stream& s, int) {
    PeerStream p(s);
    if (const auto r = p.next()) ending(s, *r);
    let_go_.set_value(!p.next());
  }) {}
  bool let_go() {
    auto f = let_go_.get_future();
    return f.wait_for(std::chrono::seconds(10)) == std::future_status::ready && f.get();
  }
  CORBA::Object_var object(Core& client) const { return peer_.object(client); }

 private:
  std::promise<bool> let_go_;
  TcpPeer peer_;
};

void answer(transport::Stream& s, const PeerStream::Request& r) { EXPECT_TRUE(PeerStream(s).reply(r, r.argument)); }
void say_goodbye(transport::Stream& s, const PeerStream::Request& r) {
  EXPECT_TRUE(PeerStream(s).send(giop::close_connection(r.version)));
}

class IdleWatchTest : public ::testing::TestWithParam<Way> {
 protected:
  void expect_let_go(Ending ending) {
    EndingPeer peer(std::move(ending));
    auto client = make_core(Way(GetParam()));
    auto o = peer.object(*client);
    EXPECT_EQ(echo(o, 1), 1u);
    EXPECT_TRUE(peer.let_go());
    client->destroy();
  }
};

// The number of this process's threads of that name.
int threads_named(const std::string& name) {
  int n = 0;
  for (const auto& thread : std::filesystem::directory_iterator("/proc/self/task")) {
    std::string its;
    std::getline(std::ifstream(thread.path() / "comm"), its);
    n += its == name;
  }
  return n;
}

bool becomes_true(const std::function<bool()>& what) {
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  while (!what())
    if (std::chrono::steady_clock::now() > deadline) return false;
  return true;
}

TEST_P(IdleWatchTest, server_that_says_CloseConnection_and_closes_9_4_7) {
  expect_let_go([](transport::Stream& s, const PeerStream::Request& r) {
    answer(s, r);
    say_goodbye(s, r);
    s.finish_sending();
  });
}

TEST_P(IdleWatchTest, server_that_says_CloseConnection_and_leaves_the_closing_to_the_client_9_4_7) {
  expect_let_go([](transport::Stream& s, const PeerStream::Request& r) {
    answer(s, r);
    say_goodbye(s, r);
  });
}

TEST_P(IdleWatchTest, CloseConnection_in_one_piece_with_the_reply) {
  expect_let_go([](transport::Stream& s, const PeerStream::Request& r) {
    Buffer both = PeerStream::whole_reply(r, r.argument);
    ASSERT_TRUE(both.append(giop::close_connection(r.version)));
    EXPECT_TRUE(PeerStream(s).send(both.view()));
  });
}

TEST_P(IdleWatchTest, server_that_closes_without_a_word) {
  expect_let_go([](transport::Stream& s, const PeerStream::Request& r) {
    answer(s, r);
    s.finish_sending();
  });
}

TEST_P(IdleWatchTest, server_that_closes_after_many_calls) {
  std::promise<bool> let_go;
  TcpPeer peer([&](transport::Stream& s, int) {
    PeerStream p(s);
    for (int n = 0; n < 1000; ++n)
      if (const auto r = p.next()) answer(s, *r);
    s.finish_sending();
    let_go.set_value(!p.next());
  });
  auto client = make_core(Way(GetParam()));
  auto o = peer.object(*client);
  for (std::uint32_t n = 0; n < 1000; ++n) ASSERT_EQ(echo(o, n), n);
  auto f = let_go.get_future();
  EXPECT_EQ(f.wait_for(std::chrono::seconds(10)), std::future_status::ready);
  client->destroy();
}

TEST_P(IdleWatchTest, connections_to_other_servers_stay) {
  EndingPeer ends([](transport::Stream& s, const PeerStream::Request& r) {
    answer(s, r);
    s.finish_sending();
  });
  EchoServer stays({"-ORBEndpoint", "tcp:127.0.0.1:0"});
  auto client = make_core(Way(GetParam()));
  auto kept = stays.object_for(*client);
  EXPECT_EQ(echo(kept, 1), 1u);
  auto o = ends.object(*client);
  EXPECT_EQ(echo(o, 1), 1u);
  EXPECT_TRUE(ends.let_go());
  EXPECT_EQ(kept->_callis_reference()->paths()[0].endpoint->close_unneeded(true, Clock::steady().now()), 0u);
  EXPECT_EQ(echo(kept, 2), 2u);
  client->destroy();
}

std::string name_of(const ::testing::TestParamInfo<Way>& way) {
  return way.param.empty() ? "own" : way.param[0] == "-ORBClientConnections" ? "shared" : "limited";
}

INSTANTIATE_TEST_SUITE_P(, IdleWatchTest,
                         ::testing::Values(Way{}, Way{"-ORBClientConnections", "shared"},
                                           Way{"-ORBMaxConnectionsPerServer", "2"}),
                         name_of);

TEST(IdleConnections, are_left_to_the_next_call_with_IdleWatch_none) {
  EchoServer server({"-ORBEndpoint", "tcp:127.0.0.1:0"});
  for (const std::string way : {"none", "thread"}) {
    auto client = make_core({"-ORBIdleWatch", way});
    auto o = server.object_for(*client);
    EXPECT_EQ(echo(o, 1), 1u);
    if (way == "none") EXPECT_EQ(threads_named("callis-idle"), 0);
    else while (threads_named("callis-idle") != 1) std::this_thread::yield();  // it names itself
    client->destroy();
    // destroy() waits for the thread; the kernel lists one that has ended for a moment longer.
    EXPECT_TRUE(becomes_true([] { return threads_named("callis-idle") == 0; }));
  }
}

// The idle time afterwards is no event: a watch that waited for an event would wait for ever.
TEST(IdleConnections, one_that_a_call_uses_while_the_watch_decides_is_looked_at_later) {
  for (const Way& way : {Way{}, Way{"-ORBClientConnections", "shared"},
                         Way{"-ORBMaxConnectionsPerServer", "2"}}) {
    auto client = make_core(Way(way));
    IdleWatch* const watch = client->endpoints().watch();
    EXPECT_EQ(watch->longest_wait(), Duration::max()) << "none is open";
    Duration meanwhile{};
    TcpPeer peer([&](transport::Stream& s, int) {
      PeerStream p(s);
      const auto r = p.next();
      if (!r) return;
      meanwhile = watch->longest_wait();
      answer(s, *r);
      (void)p.next();
    });
    auto o = peer.object(*client);
    EXPECT_EQ(echo(o, 1), 1u);
    EXPECT_EQ(meanwhile, IdleWatch::kBetweenLooks);
    const auto endpoint = o->_callis_reference()->paths()[0].endpoint;
    endpoint->close_old(Clock::steady().now() + std::chrono::seconds(59));
    EXPECT_EQ(watch->longest_wait(), IdleWatch::kBetweenLooks);
    endpoint->close_old(Clock::steady().now() + std::chrono::seconds(61));
    EXPECT_EQ(watch->longest_wait(), Duration::max());
    client->destroy();
  }
}

// The number of descriptors in this process's epoll sets, without descriptors that wake threads up.
std::size_t in_sets() {
  std::size_t n = 0;
  for (const auto& file : std::filesystem::directory_iterator("/proc/self/fd")) {
    std::error_code gone;
    if (std::filesystem::read_symlink(file.path(), gone) != "anon_inode:[eventpoll]") continue;
    std::ifstream told("/proc/self/fdinfo/" + file.path().filename().string());
    for (std::string line; std::getline(told, line);) n += line.starts_with("tfd:");
    if (n != 0) --n;
  }
  return n;
}

// An entry there would cost each reply a look at the set, in the kernel.
TEST(IdleConnections, one_in_use_is_in_no_set_of_epoll_until_it_is_idle) {
  EchoServer server({"-ORBEndpoint", "tcp:127.0.0.1:0"});
  ASSERT_EQ(in_sets(), 0u) << "a server with a thread for each connection has none";
  auto client = make_core();
  auto o = server.object_for(*client);
  EXPECT_TRUE(becomes_true([&] { return echo(o, 1) == 1u && in_sets() == 0; })) << "while it is called";
  EXPECT_TRUE(becomes_true([] { return in_sets() == 1; })) << "when it is idle";
  EXPECT_TRUE(becomes_true([&] { return echo(o, 2) == 2u && in_sets() == 0; })) << "and again";
  client->destroy();
}

TEST(IdleConnections, a_file_that_has_got_the_descriptor_of_one_is_not_watched) {
  EchoServer going({"-ORBEndpoint", "tcp:127.0.0.1:0"}), staying({"-ORBEndpoint", "tcp:127.0.0.1:0"});
  auto client = make_core();
  auto a = going.object_for(*client), b = staying.object_for(*client);
  ASSERT_TRUE(becomes_true([&] { return echo(a, 1) == 1u && echo(b, 1) == 1u && in_sets() == 0; }));
  a->_callis_reference()->paths()[0].endpoint->close_old(Clock::steady().now() + std::chrono::seconds(61));
  std::vector<int> others;  // their events would be no events: nobody writes to them
  for (int n = 0; n < 32; ++n) others.push_back(::eventfd(0, EFD_CLOEXEC));
  EXPECT_TRUE(becomes_true([] { return in_sets() != 0; })) << "the other connection is idle";
  EXPECT_EQ(in_sets(), 1u);
  for (const int other : others) ::close(other);
  client->destroy();
}

TEST(IdleConnections, looking_at_them_takes_none_from_the_calls) {
  EchoServer server({"-ORBEndpoint", "tcp:127.0.0.1:0"});
  auto client = make_core();
  auto o = server.object_for(*client);
  EXPECT_EQ(echo(o, 0), 0u);
  const auto endpoint = o->_callis_reference()->paths()[0].endpoint;
  std::atomic<bool> over{false};
  std::thread looks([&] {
    while (!over) endpoint->close_ended();
  });
  for (std::uint32_t n = 0; n < 10'000; ++n) ASSERT_EQ(echo(o, n), n);
  over = true;
  looks.join();
  EXPECT_EQ(endpoint->idle(), 1u) << "one connection did for all calls";
  client->destroy();
}

TEST(IdleConnections, those_that_are_alive_are_kept_when_it_is_looked_at_them) {
  EchoServer server({"-ORBEndpoint", "tcp:127.0.0.1:0"});
  auto client = make_core();
  auto o = server.object_for(*client);
  EXPECT_EQ(echo(o, 0), 0u);
  const auto endpoint = o->_callis_reference()->paths()[0].endpoint;
  endpoint->close_ended();
  EXPECT_EQ(endpoint->idle(), 1u);
  client->destroy();
  endpoint->close_ended();
  EXPECT_EQ(endpoint->idle(), 0u);
}

#ifndef __SANITIZE_THREAD__  // which forbids threads on both sides of fork()
TEST(IdleConnections, a_child_of_fork_ends_without_the_thread_that_it_has_not_got) {
  EchoServer server({"-ORBEndpoint", "tcp:127.0.0.1:0"});
  auto client = make_core();
  auto o = server.object_for(*client);
  EXPECT_EQ(echo(o, 1), 1u);
  const pid_t child = ::fork();
  if (child == 0) {
    ::alarm(10);
    client->destroy();
    ::_exit(7);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 7) << "status " << status;
  EXPECT_EQ(echo(o, 2), 2u);
  client->destroy();
}
#endif

}  // namespace
}  // namespace callis::orb
