// SPDX-License-Identifier: Apache-2.0
// Sending and receiving without the C library, where send() and recv() are its own. Sanitizers' are not, and they
// need to see the calls.
#include <callis/transport/tcp/system_calls.h>
#include <cerrno>
#include <dlfcn.h>
#include <sys/syscall.h>

CALLIS_PROVIDE(direct_calls);

#if defined(__linux__) && defined(__LP64__) && (defined(__x86_64__) || defined(__aarch64__)) && \
    defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)

extern "C" {
// A program that is linked statically has the first two, and no other one has them.
[[gnu::weak]] ssize_t __libc_send(int fd, const void* bytes, std::size_t size, int flags);
[[gnu::weak]] ssize_t __libc_recv(int fd, void* bytes, std::size_t size, int flags);
[[gnu::weak]] int dladdr(const void* address, Dl_info* info) noexcept;
[[gnu::weak]] const char* gnu_get_libc_version() noexcept;
}

namespace callis::transport::tcp {
namespace {

// Through sendto() and recvfrom(), without an address, as the C library does it.
inline ssize_t transfer(long number, int fd, void* bytes, std::size_t size, int flags) noexcept {
#if defined(__x86_64__)
  long result = number;
  register long r10 asm("r10") = flags;
  register void* r8 asm("r8") = nullptr;
  register void* r9 asm("r9") = nullptr;
  asm volatile("syscall"
               : "+a"(result)
               : "D"(long{fd}), "S"(bytes), "d"(size), "r"(r10), "r"(r8), "r"(r9)
               : "rcx", "r11", "memory");
#else
  register long x8 asm("x8") = number;
  register long result asm("x0") = fd;
  register void* x1 asm("x1") = bytes;
  register std::size_t x2 asm("x2") = size;
  register long x3 asm("x3") = flags;
  register void* x4 asm("x4") = nullptr;
  register void* x5 asm("x5") = nullptr;
  asm volatile("svc 0" : "+r"(result) : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5) : "memory");
#endif
  if (result >= 0) [[likely]] return result;
  errno = static_cast<int>(-result);
  return -1;
}

ssize_t send(int fd, const void* bytes, std::size_t size, int flags) {
  return transfer(SYS_sendto, fd, const_cast<void*>(bytes), size, flags);
}

ssize_t receive(int fd, void* bytes, std::size_t size, int flags) {
  return transfer(SYS_recvfrom, fd, bytes, size, flags);
}

// The file that has the function.
const void* file_of(const void* function) {
  Dl_info info;
  return ::dladdr(function, &info) != 0 ? info.dli_fbase : nullptr;
}

bool nobody_stands_in() {
  if (&::__libc_send && &::__libc_recv) return &::send == &::__libc_send && &::recv == &::__libc_recv;
  if (!&::dladdr || !&::gnu_get_libc_version) return false;
  const void* const library = file_of(reinterpret_cast<const void*>(&::gnu_get_libc_version));
  return library && file_of(reinterpret_cast<const void*>(&::send)) == library &&
         file_of(reinterpret_cast<const void*>(&::recv)) == library;
}

[[gnu::constructor]] void choose() {
  if (!nobody_stands_in()) return;
  system_calls.send.store(&send, std::memory_order_relaxed);
  system_calls.receive.store(&receive, std::memory_order_relaxed);
}

}  // namespace
}  // namespace callis::transport::tcp

#endif
