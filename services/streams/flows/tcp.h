// SPDX-License-Identifier: Apache-2.0
// TCP connections of flows.
#pragma once
#include <callis/base/bytes.h>
#include <services/streams/flows/address.h>
#include <services/streams/flows/descriptor.h>
#include <atomic>
#include <chrono>

namespace callis::streams {

class TcpConnection final {
 public:
  TcpConnection() = default;
  explicit TcpConnection(Descriptor fd);
  explicit operator bool() const { return static_cast<bool>(fd_); }
  int fd() const { return fd_.get(); }
  SocketAddress peer() const;
  // All bytes, in this order. Waits while the peer does not read, at most `within`. False: errno says why
  // (ETIMEDOUT); the connection cannot be used any more, since a part may have gone.
  bool send(ByteView head, ByteView body, std::chrono::milliseconds within) const;
  // What there is: its size; 0: nothing yet; -1: the peer has ended the connection, or it failed. `wait`: until there
  // is something, or shut_down() is called.
  std::ptrdiff_t receive(MutableBytes into, bool wait = false) const;
  // Wakes whoever sends or receives; both fail from here on.
  void shut_down() const;

 private:
  Descriptor fd_;
  mutable std::chrono::milliseconds send_within_{0};  // what the kernel has been told
};

// The end that connects. It has its address before, so that it can be told to the end that listens.
class TcpConnector final {
 public:
  explicit TcpConnector(const SocketAddress& at);  // throws FlowFailed; port 0: any
  SocketAddress local() const;
  // Once. Throws FlowFailed, also when `within` has passed.
  TcpConnection connect(const SocketAddress& peer, std::chrono::milliseconds within);

 private:
  Descriptor fd_;
};

class TcpListener final {
 public:
  // Throws FlowFailed. Port 0: any.
  explicit TcpListener(const SocketAddress& at);
  SocketAddress local() const;
  int fd() const { return fd_.get(); }
  // A connection that waits, from `only`, whose port 0 means any; others are closed, and counted. Empty: there is
  // none.
  TcpConnection accept(const SocketAddress& only);
  std::uint64_t strangers() const { return std::atomic_ref(strangers_).load(std::memory_order_relaxed); }

 private:
  Descriptor fd_;
  mutable std::uint64_t strangers_ = 0;
};

}  // namespace callis::streams
