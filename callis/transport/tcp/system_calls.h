// SPDX-License-Identifier: Apache-2.0
// How TCP's bytes are sent and received: by send() and recv() as the program has them, or by the kernel at once
// (feature direct_calls). The C library's functions are cancellation points. In a program with several threads they
// do some work around the call for the sake of pthread_cancel(), which the engine's frames could not survive anyway.
// Network stacks that are preloaded stand in for these functions. So the kernel is called at once only if the program
// has the C library's own functions. Private to the TCP transport.
#pragma once
#include <callis/base/feature.h>
#include <atomic>
#include <cstddef>
#include <sys/socket.h>

CALLIS_FEATURE(direct_calls);

namespace callis::transport::tcp {

// As send() and recv(), errno included. What they call is chosen before main(), or when the library is loaded.
struct SystemCalls {
  std::atomic<ssize_t (*)(int, const void*, std::size_t, int)> send{&::send};
  std::atomic<ssize_t (*)(int, void*, std::size_t, int)> receive{&::recv};
};
extern constinit SystemCalls system_calls;

inline ssize_t send_bytes(int fd, const void* bytes, std::size_t size, int flags) noexcept {
  return system_calls.send.load(std::memory_order_relaxed)(fd, bytes, size, flags);
}
inline ssize_t receive_bytes(int fd, void* bytes, std::size_t size, int flags = 0) noexcept {
  return system_calls.receive.load(std::memory_order_relaxed)(fd, bytes, size, flags);
}

}  // namespace callis::transport::tcp
