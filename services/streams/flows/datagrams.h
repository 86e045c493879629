// SPDX-License-Identifier: Apache-2.0
// Datagram sockets of flows: UDP from one agreed peer, and UDP multicast.
//
//   unicast    bound() or bound_pair(), tell the address to the peer, then connect(): the kernel passes on what the
//              peer sends, and nothing else
//   multicast  sending_to(): one socket a group;  joined(): a member, which accepts the agreed sender alone
//
// One thread receives, any threads send. send() blocks while the kernel's buffer is full. Batch::receive() can wait
// for a datagram, until end_receiving() is called.
#pragma once
#include <callis/base/bytes.h>
#include <callis/base/spin_policy.h>
#include <services/streams/flows/address.h>
#include <services/streams/flows/descriptor.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace callis::streams {

inline constexpr std::size_t kMostDatagramBytes = 65507;

class DatagramSocket final {
 public:
  // All throw FlowFailed. Port 0: any. A pair has an even port and the next one (RFC 3550, 11).
  static DatagramSocket bound(const SocketAddress& at);
  static std::pair<DatagramSocket, DatagramSocket> bound_pair(const SocketAddress& at);
  // `through`: the interface's own address; empty: the system's choice. Datagrams cross `ttl` routers and come to
  // members on this host, too.
  static DatagramSocket sending_to(const SocketAddress& group, const SocketAddress& through, int ttl);
  // `sender`: whose datagrams count, of any port where its port is 0; empty: anybody's.
  static DatagramSocket joined(const SocketAddress& group, const SocketAddress& through, const SocketAddress& sender);

  // From here on only `peer` counts; what had arrived is thrown away. Throws FlowFailed.
  void connect(const SocketAddress& peer);
  // How many bytes of datagrams wait in the kernel; it may grant less.
  void set_buffers(int bytes);
  SocketAddress local() const;
  int fd() const { return fd_.get(); }
  // Who waits for a datagram gets empty ones from here on. Any thread.
  void end_receiving() const;

  // A datagram of the parts, one behind the other. False: errno says why.
  bool send(ByteView head, ByteView body) const;
  // Datagrams that were dropped since somebody else had sent them.
  std::uint64_t strangers() const { return std::atomic_ref(strangers_).load(std::memory_order_relaxed); }

  // Several datagrams, received at once.
  class Batch;

 private:
  explicit DatagramSocket(int family);
  Descriptor fd_;
  bool member_ = false;
  SocketAddress only_from_;  // of members of a group
  mutable std::uint64_t strangers_ = 0;
};

class DatagramSocket::Batch final {
 public:
  Batch();
  Batch(const Batch&) = delete;
  Batch& operator=(const Batch&) = delete;
  // Receives what there is, several datagrams by one system call. Returns how many are the peer's. `wait`: waits
  // for the first of anybody, or for a signal. `error`: errno of a socket that fails, as ECONNREFUSED where the
  // peer's has gone; 0.
  std::size_t receive(const DatagramSocket& socket, bool wait, int& error);
  // Until the next receive().
  ByteView operator[](std::size_t i) const { return taken_[i]; }
  // Who sent it, to a socket that has joined a group.
  const SocketAddress& from(std::size_t i) const { return senders_[i]; }

 private:
  std::size_t look(const DatagramSocket& socket, int& error);
  std::size_t receive_now(const DatagramSocket& socket, int flags, int& error);

  static constexpr unsigned kAtOnce = 16;
  SpinPolicy spin_;  // datagrams that come one right behind the other are looked for before the thread sleeps
  std::unique_ptr<Byte[]> memory_;  // untouched pages take no memory
  std::array<mmsghdr, kAtOnce> messages_{};
  std::array<iovec, kAtOnce> parts_;
  std::array<sockaddr_storage, kAtOnce> from_;
  std::vector<ByteView> taken_;
  std::vector<SocketAddress> senders_;  // where the socket is a member of a group
};

}  // namespace callis::streams
