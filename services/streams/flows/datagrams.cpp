// SPDX-License-Identifier: Apache-2.0
// UDP and UDP multicast.
#include <netinet/in.h>
#include <services/streams/flows/datagrams.h>
#include <services/streams/flows/flow_failed.h>
#include <cerrno>
#include <chrono>

namespace callis::streams {
namespace {

constexpr std::size_t kSlot = 65536;
constexpr std::chrono::microseconds kSpin{10};
constexpr std::chrono::microseconds kPreempted{500};  // a sender of the same CPU takes less for a window of datagrams

void set(int fd, int level, int option, int value, const char* what) {
  if (setsockopt(fd, level, option, &value, sizeof value) != 0) fail_with_errno(what, errno);
}

void bind_to(int fd, const SocketAddress& at) {
  if (::bind(fd, at.get(), at.size()) != 0) fail_with_errno("binding a UDP socket of a flow to " + at.text(), errno);
}

in_addr as_v4(const SocketAddress& address) { return reinterpret_cast<const sockaddr_in*>(address.get())->sin_addr; }

void need_v4_group(const SocketAddress& group) {
  if (!group.multicast()) throw FlowFailed("the address " + group.text() + " is no multicast group");
  if (group.family() != AF_INET) {
    throw FlowFailed("the group " + group.text() + " is one of IPv6; groups of flows are those of IPv4");
  }
}

}  // namespace

DatagramSocket::DatagramSocket(int family) : fd_(::socket(family, SOCK_DGRAM | SOCK_CLOEXEC, 0)) {
  if (!fd_) fail_with_errno("making a UDP socket for a flow", errno);
}

DatagramSocket DatagramSocket::bound(const SocketAddress& at) {
  DatagramSocket out(at.family());
  bind_to(out.fd(), at);
  return out;
}

std::pair<DatagramSocket, DatagramSocket> DatagramSocket::bound_pair(const SocketAddress& at) {
  constexpr int kTries = 64;
  std::string last;
  for (int i = 0; i < kTries; ++i) {
    DatagramSocket data = bound(at);
    SocketAddress next = data.local();
    if (!at.port() && next.port() % 2 != 0) continue;
    if (next.port() == 65535) throw FlowFailed("there is no port for RTCP behind 65535");
    next.set_port(static_cast<std::uint16_t>(next.port() + 1));
    try {
      return {std::move(data), bound(next)};
    } catch (const FlowFailed& e) {
      if (at.port()) throw;
      last = e.what();
    }
  }
  throw FlowFailed("no two UDP ports in a row were free at " + at.host() + " in " + std::to_string(kTries) +
                   " tries: " + last);
}

DatagramSocket DatagramSocket::sending_to(const SocketAddress& group, const SocketAddress& through, int ttl) {
  need_v4_group(group);
  DatagramSocket out(AF_INET);
  if (!through.empty()) {
    const in_addr own = as_v4(through);
    if (setsockopt(out.fd(), IPPROTO_IP, IP_MULTICAST_IF, &own, sizeof own) != 0) {
      fail_with_errno("sending multicast through " + through.host(), errno);
    }
    SocketAddress any = through;
    any.set_port(0);
    bind_to(out.fd(), any);
  }
  set(out.fd(), IPPROTO_IP, IP_MULTICAST_TTL, ttl, "setting the TTL of multicast");
  set(out.fd(), IPPROTO_IP, IP_MULTICAST_LOOP, 1, "having multicast come to this host");
  if (::connect(out.fd(), group.get(), group.size()) != 0) {
    fail_with_errno("sending to the group " + group.text(), errno);
  }
  return out;
}

DatagramSocket DatagramSocket::joined(const SocketAddress& group, const SocketAddress& through,
                                      const SocketAddress& sender) {
  need_v4_group(group);
  DatagramSocket out(AF_INET);
  out.member_ = true;
  set(out.fd(), SOL_SOCKET, SO_REUSEADDR, 1, "sharing a group's port");
  bind_to(out.fd(), group);  // to the group, so that nothing sent to the host's own addresses comes here
  set(out.fd(), IPPROTO_IP, IP_MULTICAST_ALL, 0, "receiving joined groups alone");
  const in_addr own = through.empty() ? in_addr{htonl(INADDR_ANY)} : as_v4(through);
  int failed = 0;
  if (sender.empty()) {
    const ip_mreq membership{as_v4(group), own};
    failed = setsockopt(out.fd(), IPPROTO_IP, IP_ADD_MEMBERSHIP, &membership, sizeof membership);
  } else {
    ip_mreq_source membership{};
    membership.imr_multiaddr = as_v4(group);
    membership.imr_interface = own;
    membership.imr_sourceaddr = as_v4(sender);
    failed = setsockopt(out.fd(), IPPROTO_IP, IP_ADD_SOURCE_MEMBERSHIP, &membership, sizeof membership);
    out.only_from_ = sender;
  }
  if (failed != 0) fail_with_errno("joining the group " + group.text(), errno);
  return out;
}

void DatagramSocket::connect(const SocketAddress& peer) {
  if (::connect(fd(), peer.get(), peer.size()) != 0) fail_with_errno("connecting a flow to " + peer.text(), errno);
  Byte waste[1];
  while (::recv(fd(), waste, sizeof waste, MSG_DONTWAIT | MSG_TRUNC) >=
         0) {  // from anybody, before the peer was known
  }
}

void DatagramSocket::set_buffers(int bytes) {
  setsockopt(fd(), SOL_SOCKET, SO_RCVBUF, &bytes, sizeof bytes);
  setsockopt(fd(), SOL_SOCKET, SO_SNDBUF, &bytes, sizeof bytes);
}

SocketAddress DatagramSocket::local() const {
  sockaddr_storage at{};
  socklen_t size = sizeof at;
  if (getsockname(fd(), reinterpret_cast<sockaddr*>(&at), &size) != 0) {
    fail_with_errno("asking a flow's socket for its address", errno);
  }
  return {at, size};
}

bool DatagramSocket::send(ByteView head, ByteView body) const {
  iovec parts[2] = {{const_cast<Byte*>(head.data()), head.size()}, {const_cast<Byte*>(body.data()), body.size()}};
  msghdr message{};
  message.msg_iov = head.empty() ? parts + 1 : parts;
  message.msg_iovlen = head.empty() ? 1 : 2;
  while (::sendmsg(fd(), &message, MSG_NOSIGNAL) < 0) {
    // ECONNREFUSED tells of an earlier datagram: the peer has not opened its socket yet, or has gone.
    if (errno != EINTR && errno != ECONNREFUSED) return false;
  }
  return true;
}

void DatagramSocket::end_receiving() const { ::shutdown(fd(), SHUT_RD); }

DatagramSocket::Batch::Batch() : memory_(new Byte[kAtOnce * kSlot]) {
  taken_.reserve(kAtOnce);
  spin_.set_longest(kSpin);
  for (std::size_t i = 0; i < kAtOnce; ++i) {
    parts_[i] = {memory_.get() + i * kSlot, kSlot};
    messages_[i].msg_hdr.msg_iov = &parts_[i];
    messages_[i].msg_hdr.msg_iovlen = 1;
  }
}

std::size_t DatagramSocket::Batch::receive(const DatagramSocket& socket, bool wait, int& error) {
  if (wait && spin_.due()) {
    if (const std::size_t count = look(socket, error); count > 0 || error != 0) return count;
  }
  return receive_now(socket, wait ? MSG_WAITFORONE : MSG_DONTWAIT, error);
}

std::size_t DatagramSocket::Batch::look(const DatagramSocket& socket, int& error) {
  std::size_t count = 0;
  const auto see = [&] {
    count = receive_now(socket, MSG_DONTWAIT, error);
    return count > 0 || error != 0;
  };
  look_again(spin_, kPreempted, see);
  return count;
}

std::size_t DatagramSocket::Batch::receive_now(const DatagramSocket& socket, int flags, int& error) {
  const bool check = socket.member_;
  for (std::size_t i = 0; i < kAtOnce && check; ++i) {
    messages_[i].msg_hdr.msg_name = &from_[i];
    messages_[i].msg_hdr.msg_namelen = sizeof from_[i];
  }
  taken_.clear();
  senders_.clear();
  error = 0;
  const int count = recvmmsg(socket.fd(), messages_.data(), kAtOnce, flags, nullptr);
  if (count < 0) {
    if (errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR) error = errno;
    return 0;
  }
  for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) {
    if (check) {
      if (messages_[i].msg_hdr.msg_namelen == 0) break;  // from nobody: the end of receiving
      const SocketAddress sender(from_[i], messages_[i].msg_hdr.msg_namelen);
      const SocketAddress& only = socket.only_from_;
      if (!only.empty() && !(only.port() ? sender == only : sender.same_host(only))) {
        std::atomic_ref(socket.strangers_).fetch_add(1, std::memory_order_relaxed);
        continue;
      }
      senders_.push_back(sender);
    }
    taken_.emplace_back(memory_.get() + i * kSlot, messages_[i].msg_len);
  }
  return taken_.size();
}

}  // namespace callis::streams
