// SPDX-License-Identifier: Apache-2.0
// A library to preload: TCP_NODELAY is taken and not set, so that Nagle's algorithm holds small segments back while
// others are unacknowledged. Shows what a program would pay that leaves it on.
#include <dlfcn.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

extern "C" int setsockopt(int fd, int level, int option, const void* value, socklen_t size) noexcept {
  using Function = int(int, int, int, const void*, socklen_t);
  static Function* const next = reinterpret_cast<Function*>(dlsym(RTLD_NEXT, "setsockopt"));
  if (level == IPPROTO_TCP && option == TCP_NODELAY) return 0;
  return next ? next(fd, level, option, value, size) : -1;
}
