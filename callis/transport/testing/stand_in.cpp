// SPDX-License-Identifier: Apache-2.0
// send() and recv() that stand in for the C library's, as a network stack's do: in a library to be preloaded, and in
// a program.
#include <cstddef>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

extern "C" [[gnu::weak]] void callis_stand_in_was_called();  // the program's

namespace {
void tell() {
  if (callis_stand_in_was_called) callis_stand_in_was_called();
}
}  // namespace

extern "C" ssize_t send(int fd, const void* bytes, std::size_t size, int flags) {
  tell();
  return ::syscall(SYS_sendto, fd, bytes, size, flags, nullptr, 0);
}
extern "C" ssize_t recv(int fd, void* bytes, std::size_t size, int flags) {
  tell();
  return ::syscall(SYS_recvfrom, fd, bytes, size, flags, nullptr, nullptr);
}
