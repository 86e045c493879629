// SPDX-License-Identifier: Apache-2.0
// A library to preload: every TCP socket of the process gets socket queues of BENCH_QUEUE_BYTES bytes, by SO_SNDBUF
// and SO_RCVBUF, as soon as it is made; so no system that is measured needs an option for it. Accepted sockets
// inherit those of their listener. (Linux reports twice the number, and has its own least and greatest.)
#include <dlfcn.h>
#include <sys/socket.h>
#include <unistd.h>
#include <cerrno>
#include <cstdio>
#include <cstdlib>

namespace {

using Socket = int(int, int, int);
int g_bytes = 0;
Socket* g_socket = nullptr;

[[noreturn]] void fail(const char* why) {
  std::fprintf(stderr, "queues: %s\n", why);
  _exit(99);  // figures with other queues than asked for would be wrong
}

[[gnu::constructor]] void prepare() {
  const char* bytes = std::getenv("BENCH_QUEUE_BYTES");
  char* end = nullptr;
  const long n = bytes ? std::strtol(bytes, &end, 10) : 0;
  if (n <= 0 || n > 1 << 30 || *end != '\0') fail("BENCH_QUEUE_BYTES is not a number of bytes");
  g_bytes = static_cast<int>(n);
  g_socket = reinterpret_cast<Socket*>(dlsym(RTLD_NEXT, "socket"));
  if (!g_socket) fail("there is no socket()");
}

bool is_tcp(int domain, int type, int protocol) {
  const int kind = type & ~(SOCK_NONBLOCK | SOCK_CLOEXEC);
  return (domain == AF_INET || domain == AF_INET6) && kind == SOCK_STREAM && (protocol == 0 || protocol == 6);
}

}  // namespace

extern "C" int socket(int domain, int type, int protocol) {
  const int fd = g_socket(domain, type, protocol);
  if (fd < 0 || !is_tcp(domain, type, protocol)) return fd;
  const int error = errno;
  if (setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &g_bytes, sizeof g_bytes) != 0 ||
      setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &g_bytes, sizeof g_bytes) != 0)
    fail("setsockopt");
  errno = error;
  return fd;
}
