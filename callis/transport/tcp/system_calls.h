// SPDX-License-Identifier: Apache-2.0
// send() and recv(). The C library's are cancellation points: in a program with several threads they do some work
// around the call for the sake of pthread_cancel(), which the engine's frames could not survive anyway. With the
// build option CALLIS_DIRECT_SYSTEM_CALLS the kernel is called without them. Preloaded network stacks stand in for
// the C library's functions, and see nothing of these calls then. Private to the TCP transport.
#pragma once
#include <cerrno>
#include <sys/socket.h>
#include <sys/syscall.h>

namespace callis::transport::tcp {

// Sanitizers need to see the C library's calls.
#if defined(CALLIS_DIRECT_SYSTEM_CALLS) && defined(__x86_64__) && defined(__linux__) && defined(__LP64__) && \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
// As the manual pages say of sendto() and recvfrom() without an address.
inline ssize_t transfer(long number, int fd, void* bytes, std::size_t size, int flags) noexcept {
  long result = number;
  register long r10 asm("r10") = flags;
  register void* r8 asm("r8") = nullptr;
  register void* r9 asm("r9") = nullptr;
  asm volatile("syscall"
               : "+a"(result)
               : "D"(long{fd}), "S"(bytes), "d"(size), "r"(r10), "r"(r8), "r"(r9)
               : "rcx", "r11", "memory");
  if (result >= 0) [[likely]] return result;
  errno = static_cast<int>(-result);
  return -1;
}
inline ssize_t send_bytes(int fd, const void* bytes, std::size_t size, int flags) noexcept {
  return transfer(SYS_sendto, fd, const_cast<void*>(bytes), size, flags);
}
inline ssize_t receive_bytes(int fd, void* bytes, std::size_t size, int flags = 0) noexcept {
  return transfer(SYS_recvfrom, fd, bytes, size, flags);
}
#else
inline ssize_t send_bytes(int fd, const void* bytes, std::size_t size, int flags) noexcept {
  return ::send(fd, bytes, size, flags);
}
inline ssize_t receive_bytes(int fd, void* bytes, std::size_t size, int flags = 0) noexcept {
  return ::recv(fd, bytes, size, flags);
}
#endif

}  // namespace callis::transport::tcp
