// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "../common/plain.h"
#include <ace/INET_Addr.h>
#include <ace/SOCK_Stream.h>
#include <netinet/tcp.h>

// ACE's C++ wrappers of sockets: blocking, TCP_NODELAY.
class Connection {
 public:
  Connection() = default;
  Connection(const Connection&) = delete;
  ~Connection() { stream.close(); }

  void no_delay() {
    int on = 1;
    stream.set_option(IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  }
  bool send(const void* from, std::size_t n) { return stream.send_n(from, n) == static_cast<ssize_t>(n); }
  bool receive(void* to, std::size_t n) { return n == 0 || stream.recv_n(to, n) == static_cast<ssize_t>(n); }
  bool send_both(const void* head, std::size_t head_bytes, const void* body, std::size_t body_bytes) {
    iovec both[2] = {{const_cast<void*>(head), head_bytes}, {const_cast<void*>(body), body_bytes}};
    return stream.sendv_n(both, 2) == static_cast<ssize_t>(head_bytes + body_bytes);
  }
  long receive_both(void* head, std::size_t head_bytes, void* body, std::size_t most) {
    iovec both[2] = {{head, head_bytes}, {body, most}};
    const ssize_t k = stream.recvv(both, 2);
    if (k <= 0) return -1;
    const auto got = static_cast<std::size_t>(k);
    if (got >= head_bytes) return static_cast<long>(got - head_bytes);
    return receive(static_cast<char*>(head) + got, head_bytes - got) ? 0 : -1;
  }

  ACE_SOCK_Stream stream;
};
