// SPDX-License-Identifier: Apache-2.0
// Which send() and recv() carry the bytes. The test is run as it is, with functions of the program's own
// (testing/stand_in.cpp), with the same in a library that is preloaded, and in static programs.
#include <callis/transport/tcp/system_calls.h>
#include <callis/transport/tcp/tcp.h>
#include <gtest/gtest.h>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <sys/time.h>
#include <unistd.h>
#include <utility>

namespace {
std::atomic<int> g_stand_in_calls{0};
}
extern "C" void callis_stand_in_was_called() { ++g_stand_in_calls; }

namespace callis::transport::tcp {
namespace {

#if defined(__LP64__) && (defined(__x86_64__) || defined(__aarch64__)) && defined(__GLIBC__) && \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
constexpr bool kCanBeDirect = true;
#else
constexpr bool kCanBeDirect = false;
#endif

struct Sockets {
  int fds[2] = {-1, -1};
  Sockets() { EXPECT_EQ(::socketpair(AF_UNIX, SOCK_STREAM, 0, fds), 0); }
  ~Sockets() {
    ::close(fds[0]);
    if (fds[1] >= 0) ::close(fds[1]);
  }
};

TEST(SystemCalls, go_to_the_kernel_unless_somebody_stands_in_for_the_c_library) {
#ifdef CALLIS_STANDS_IN
  const bool stands_in = true;
#else
  const char* const preloaded = std::getenv("LD_PRELOAD");
  const bool stands_in = preloaded && std::strstr(preloaded, "stand_in");
#endif
  EXPECT_EQ(system_calls.send.load() != &::send, kCanBeDirect && !stands_in);
  EXPECT_EQ(system_calls.receive.load() != &::recv, kCanBeDirect && !stands_in);
  const auto listener = listen_tcp("127.0.0.1", 0).value();
  const auto client = connect_tcp(listener->host(), listener->port(), Deadline::in(Duration{20'000})).value();
  const auto server = listener->accept().value();
  const Byte sent[4] = {1, 2, 3, 4};
  Byte received[4] = {};
  EXPECT_TRUE(client->send(ByteView(sent), Deadline::in(Duration{20'000})).ok());
  EXPECT_EQ(server->receive(received, Deadline::in(Duration{20'000})).bytes, 4u);
  EXPECT_EQ(std::memcmp(sent, received, 4), 0);
  EXPECT_EQ(g_stand_in_calls >= 2, stands_in);
}

TEST(SystemCalls, set_errno_as_send_and_recv_do) {
  Sockets s;
  char byte = 'a';
  errno = 0;
  EXPECT_EQ(receive_bytes(s.fds[0], &byte, 1, MSG_DONTWAIT), -1);
  EXPECT_EQ(errno, EAGAIN);
  EXPECT_EQ(send_bytes(s.fds[1], "xy", 2, MSG_NOSIGNAL), 2);
  EXPECT_EQ(receive_bytes(s.fds[0], &byte, 1, MSG_PEEK), 1);  // flags arrive
  EXPECT_EQ(receive_bytes(s.fds[0], &byte, 1), 1);
  EXPECT_EQ(byte, 'x');
  ::close(std::exchange(s.fds[1], -1));
  EXPECT_EQ(send_bytes(s.fds[0], &byte, 1, MSG_NOSIGNAL), -1);
  EXPECT_EQ(errno, EPIPE);
  EXPECT_EQ(receive_bytes(s.fds[0], &byte, 1), 1);  // y
  EXPECT_EQ(receive_bytes(s.fds[0], &byte, 1), 0);
  EXPECT_EQ(receive_bytes(-1, &byte, 1), -1);
  EXPECT_EQ(errno, EBADF);
  EXPECT_EQ(send_bytes(s.fds[0], nullptr, 1, MSG_NOSIGNAL), -1);
  EXPECT_TRUE(errno == EFAULT || errno == EPIPE);
}

// A signal without SA_RESTART ends a receiving that waits.
TEST(SystemCalls, end_with_eintr_when_a_signal_comes) {
  Sockets s;
  struct sigaction action {}, before {};
  action.sa_handler = [](int) {};
  ASSERT_EQ(::sigaction(SIGALRM, &action, &before), 0);
  const itimerval soon{{0, 2'000}, {0, 2'000}}, never{};  // again and again, should the first come too early
  ASSERT_EQ(::setitimer(ITIMER_REAL, &soon, nullptr), 0);
  char byte;
  const ssize_t n = receive_bytes(s.fds[0], &byte, 1);
  const int why = errno;
  ASSERT_EQ(::setitimer(ITIMER_REAL, &never, nullptr), 0);
  ASSERT_EQ(::sigaction(SIGALRM, &before, nullptr), 0);
  EXPECT_EQ(n, -1);
  EXPECT_EQ(why, EINTR);
}

}  // namespace
}  // namespace callis::transport::tcp
