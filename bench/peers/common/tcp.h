// SPDX-License-Identifier: Apache-2.0
// Blocking TCP, over the loopback unless told otherwise (host()), with nothing around it; also a Unix-domain socket
// beside the file of the reference.
#pragma once
#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <unistd.h>
#include <cerrno>
#include <cstring>
#include "program.h"

namespace bench::tcp {

inline void no_delay(int fd) {
  const int on = 1;
  setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
}
inline sockaddr_in address_of(std::uint16_t port) {
  sockaddr_in a{};
  a.sin_family = AF_INET;
  a.sin_port = htons(port);
  expect(inet_pton(AF_INET, host(), &a.sin_addr) == 1, "BENCH_HOST");
  return a;
}
inline std::uint16_t port_of(int fd) {
  sockaddr_in a{};
  socklen_t n = sizeof a;
  expect(getsockname(fd, reinterpret_cast<sockaddr*>(&a), &n) == 0, "getsockname");
  return ntohs(a.sin_port);
}
inline int listen_anywhere() {
  const int fd = socket(AF_INET, SOCK_STREAM, 0);
  const sockaddr_in a = address_of(0);
  expect(fd >= 0 && bind(fd, reinterpret_cast<const sockaddr*>(&a), sizeof a) == 0 && listen(fd, 256) == 0, "listen");
  return fd;
}
inline int connect_to(std::uint16_t port) {
  const int fd = socket(AF_INET, SOCK_STREAM, 0);
  const sockaddr_in a = address_of(port);
  expect(fd >= 0 && connect(fd, reinterpret_cast<const sockaddr*>(&a), sizeof a) == 0, "connect");
  no_delay(fd);
  return fd;
}
inline sockaddr_un local(const std::string& path) {
  sockaddr_un a{};
  a.sun_family = AF_UNIX;
  expect(path.size() < sizeof a.sun_path, "a longer path than a socket may have");
  std::memcpy(a.sun_path, path.data(), path.size());
  return a;
}
inline int listen_at(const std::string& path) {
  const int fd = socket(AF_UNIX, SOCK_STREAM, 0);
  const sockaddr_un a = local(path);
  expect(fd >= 0 && bind(fd, reinterpret_cast<const sockaddr*>(&a), sizeof a) == 0 && listen(fd, 256) == 0, "listen");
  return fd;
}
inline int connect_to(const std::string& path) {
  const int fd = socket(AF_UNIX, SOCK_STREAM, 0);
  const sockaddr_un a = local(path);
  expect(fd >= 0 && connect(fd, reinterpret_cast<const sockaddr*>(&a), sizeof a) == 0, "connect");
  return fd;
}
inline int connect_to(const Options& o) {
  const std::string where = read_reference(o)[0];
  if (where.starts_with('/')) return connect_to(where);
  return connect_to(static_cast<std::uint16_t>(std::stoi(where)));
}

// False at the end of the stream and on errors.
inline bool read_all(int fd, void* to, std::size_t n) {
  for (char* at = static_cast<char*>(to); n != 0;) {
    const ssize_t k = read(fd, at, n);
    if (k < 0 && errno == EINTR) continue;
    if (k <= 0) return false;
    at += k;
    n -= static_cast<std::size_t>(k);
  }
  return true;
}
inline bool write_all(int fd, const void* from, std::size_t n) {
  for (const char* at = static_cast<const char*>(from); n != 0;) {
    const ssize_t k = write(fd, at, n);
    if (k < 0 && errno == EINTR) continue;
    if (k <= 0) return false;
    at += k;
    n -= static_cast<std::size_t>(k);
  }
  return true;
}
// Both parts in one system call when the kernel takes them.
inline bool write_both(int fd, const void* head, std::size_t head_bytes, const void* body, std::size_t body_bytes) {
  iovec both[2] = {{const_cast<void*>(head), head_bytes}, {const_cast<void*>(body), body_bytes}};
  ssize_t k = writev(fd, both, 2);
  while (k < 0 && errno == EINTR) k = writev(fd, both, 2);
  if (k < 0) return false;
  const auto done = static_cast<std::size_t>(k);
  if (done < head_bytes)
    return write_all(fd, static_cast<const char*>(head) + done, head_bytes - done) && write_all(fd, body, body_bytes);
  const std::size_t of_body = done - head_bytes;
  return write_all(fd, static_cast<const char*>(body) + of_body, body_bytes - of_body);
}

}  // namespace bench::tcp
