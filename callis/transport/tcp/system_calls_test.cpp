// SPDX-License-Identifier: Apache-2.0
// send() and recv() of this program stand in for the C library's, as those of a preloaded network stack do.
#include <callis/transport/tcp/tcp.h>
#include <gtest/gtest.h>
#include <atomic>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace {
std::atomic<int> g_sent{0}, g_received{0};
}

extern "C" ssize_t send(int fd, const void* bytes, std::size_t size, int flags) {
  ++g_sent;
  return ::syscall(SYS_sendto, fd, bytes, size, flags, nullptr, 0);
}
extern "C" ssize_t recv(int fd, void* bytes, std::size_t size, int flags) {
  ++g_received;
  return ::syscall(SYS_recvfrom, fd, bytes, size, flags, nullptr, nullptr);
}

namespace callis::transport {
namespace {

TEST(TcpStream, sends_and_receives_by_the_functions_that_the_program_has_in_place_of_the_c_librarys) {
  const auto listener = listen_tcp("127.0.0.1", 0).value();
  const auto client = connect_tcp(listener->host(), listener->port(), Deadline::in(Duration{20'000})).value();
  const auto server = listener->accept().value();
  const Byte sent[4] = {1, 2, 3, 4};
  Byte received[4] = {};
  EXPECT_TRUE(client->send(ByteView(sent), Deadline::in(Duration{20'000})).ok());
  EXPECT_EQ(server->receive(received, Deadline::in(Duration{20'000})).bytes, 4u);
  EXPECT_GT(g_sent, 0);
  EXPECT_GT(g_received, 0);
}

}  // namespace
}  // namespace callis::transport
