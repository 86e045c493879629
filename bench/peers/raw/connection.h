// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "../common/plain.h"
#include "../common/tcp.h"

// C sockets: blocking, TCP_NODELAY.
class Connection {
 public:
  explicit Connection(int fd) : fd_(fd) {}
  Connection(const Connection&) = delete;
  ~Connection() { close(fd_); }

  bool send(const void* from, std::size_t n) { return bench::tcp::write_all(fd_, from, n); }
  bool receive(void* to, std::size_t n) { return bench::tcp::read_all(fd_, to, n); }
  bool send_both(const void* head, std::size_t head_bytes, const void* body, std::size_t body_bytes) {
    return bench::tcp::write_both(fd_, head, head_bytes, body, body_bytes);
  }
  long receive_both(void* head, std::size_t head_bytes, void* body, std::size_t most) {
    iovec both[2] = {{head, head_bytes}, {body, most}};
    const ssize_t k = readv(fd_, both, 2);
    if (k <= 0) return -1;
    const auto got = static_cast<std::size_t>(k);
    if (got >= head_bytes) return static_cast<long>(got - head_bytes);
    return receive(static_cast<char*>(head) + got, head_bytes - got) ? 0 : -1;
  }

 private:
  int fd_;
};
