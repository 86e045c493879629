// SPDX-License-Identifier: Apache-2.0
// Whether to look for bytes before waiting for them.
#include <callis/transport/tcp/spin.h>
#include <callis/transport/transport.h>
#include <gtest/gtest.h>
#include <atomic>
#include <memory>
#include <sched.h>
#include <sys/resource.h>
#include <thread>
#include <vector>

namespace callis::transport::tcp {
namespace {

using Micros = SpinPolicy::Micros;

TEST(SpinPermit, IsForHalfOfTheProcessorsAtMost) {
  const long most = ::sysconf(_SC_NPROCESSORS_ONLN) / 2;
  std::vector<std::unique_ptr<SpinPermit>> held;
  for (long i = 0; i < most; ++i) EXPECT_TRUE(*held.emplace_back(std::make_unique<SpinPermit>()));
  EXPECT_FALSE(SpinPermit());
  if (most > 0) {
    held.pop_back();
    EXPECT_TRUE(SpinPermit());
  }
}

struct SpinningStreams : ::testing::Test {
  std::unique_ptr<TcpListener> listener = listen_tcp("127.0.0.1", 0).value();
  std::unique_ptr<Stream> client = connect_tcp("127.0.0.1", listener->port(), Deadline::in(Duration(10'000))).value();
  std::unique_ptr<Stream> server = listener->accept().value();
  Byte bytes[16];

  void SetUp() override {
    client->set_spin(Micros(1000));
    server->set_spin(Micros(1000));
  }
};

TEST_F(SpinningStreams, ReceiveAllTheSame) {
  std::thread echo([this] {
    for (;;) {
      const Transfer t = server->receive_within(bytes, Duration(0));
      if (!t.ok()) return;
      ASSERT_TRUE(server->send(ByteView(bytes, t.bytes), {}).ok());
    }
  });
  Byte reply[16];
  for (Byte i = 0; i < 200; ++i) {
    ASSERT_TRUE(client->send(ByteView(&i, 1), {}).ok());
    const Transfer t = client->receive(reply, Deadline::in(Duration(30'000)));
    ASSERT_EQ(t.bytes, 1u);
    ASSERT_EQ(reply[0], i);
  }
  client.reset();
  echo.join();
}

// How often the thread has gone to sleep.
long sleeps() {
  rusage used{};
  ::getrusage(RUSAGE_THREAD, &used);
  return used.ru_nvcsw;
}

// The peer runs on the same CPU, and answers when it had its turn a few times. SCHED_FIFO keeps other programs away.
TEST_F(SpinningStreams, LetOthersOfTheirCpuRun) {
  if (::sysconf(_SC_NPROCESSORS_ONLN) < 2) GTEST_SKIP() << "one processor: nothing spins";
  constexpr int kRounds = 100, kTurns = 20;
  cpu_set_t all, one;
  const sched_param first{.sched_priority = 1}, ordinary{};
  if (::sched_setscheduler(0, SCHED_FIFO, &first) != 0) GTEST_SKIP() << "SCHED_FIFO is not permitted";
  ASSERT_EQ(::sched_getaffinity(0, sizeof all, &all), 0);
  CPU_ZERO(&one);
  CPU_SET(static_cast<std::size_t>(::sched_getcpu()), &one);
  ASSERT_EQ(::sched_setaffinity(0, sizeof one, &one), 0);  // the peer's thread inherits both
  std::atomic<int> wanted{0};
  std::thread peer([&] {
    for (int i = 1; i <= kRounds; ++i) {
      while (wanted < i) ::sched_yield();
      for (int turn = 0; turn < kTurns; ++turn) ::sched_yield();
      EXPECT_TRUE(server->send(ByteView(bytes, 1), {}).ok());
    }
  });
  int without_sleep = 0;
  for (int i = 0; i < kRounds; ++i) {
    client->set_spin(Micros(1000));  // as if there had been none in vain
    const long before = sleeps();
    ++wanted;
    Byte reply[1];
    EXPECT_EQ(client->receive(reply, Deadline::in(Duration(30'000))).bytes, 1u);
    without_sleep += sleeps() == before;
  }
  peer.join();
  ::sched_setaffinity(0, sizeof all, &all);
  ::sched_setscheduler(0, SCHED_OTHER, &ordinary);
  EXPECT_GT(without_sleep, kRounds / 2);
}

TEST_F(SpinningStreams, KeepDeadlines) {
  for (int i = 0; i < 5; ++i)
    EXPECT_EQ(client->receive(bytes, Deadline::in(Duration(5))).fault, Fault::DeadlinePassed);
}

TEST_F(SpinningStreams, SeeTheEnd) {
  server.reset();
  EXPECT_EQ(client->receive(bytes, Deadline::in(Duration(10'000))).fault, Fault::ConnectionLost);
}

}  // namespace
}  // namespace callis::transport::tcp
