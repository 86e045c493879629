// SPDX-License-Identifier: Apache-2.0
// Sockets that never block, and messages as they come.
#include <arpa/inet.h>
#include <callis/micro/loop.h>
#include <callis/micro/socket.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <unistd.h>
#include <algorithm>
#include <cerrno>
#include <cstring>

namespace callis::micro {
namespace {

Descriptor make_socket(int family, int type) {
  Descriptor made(::socket(family, type, 0));
  if (!made.valid()) return made;
  (void)::fcntl(made.get(), F_SETFD, FD_CLOEXEC);
  (void)::fcntl(made.get(), F_SETFL, O_NONBLOCK);
  return made;
}

void set_option(int fd, int level, int option) {
  const int on = 1;
  (void)::setsockopt(fd, level, option, &on, sizeof on);
}

const sockaddr* generic(const SocketAddress& a) { return reinterpret_cast<const sockaddr*>(&a.storage); }
sockaddr* generic(SocketAddress& a) { return reinterpret_cast<sockaddr*>(&a.storage); }
sockaddr_in& v4(SocketAddress& a) { return reinterpret_cast<sockaddr_in&>(a.storage); }
sockaddr_in6& v6(SocketAddress& a) { return reinterpret_cast<sockaddr_in6&>(a.storage); }
const sockaddr_in& v4(const SocketAddress& a) { return reinterpret_cast<const sockaddr_in&>(a.storage); }
const sockaddr_in6& v6(const SocketAddress& a) { return reinterpret_cast<const sockaddr_in6&>(a.storage); }

}  // namespace

Descriptor& Descriptor::operator=(Descriptor&& o) noexcept {
  if (this != &o) {
    reset();
    fd_ = o.release();
  }
  return *this;
}

void Descriptor::reset() noexcept {
  if (fd_ >= 0) ::close(release());
}

bool SocketAddress::set(const ior::Address& address) {
  storage = {};
  if (address.host.empty() || ::inet_pton(AF_INET, address.host.c_str(), &v4(*this).sin_addr) == 1) {
    v4(*this).sin_family = AF_INET;
    v4(*this).sin_port = htons(address.port);
    bytes = sizeof(sockaddr_in);
    return true;
  }
  if (::inet_pton(AF_INET6, address.host.c_str(), &v6(*this).sin6_addr) == 1) {
    v6(*this).sin6_family = AF_INET6;
    v6(*this).sin6_port = htons(address.port);
    bytes = sizeof(sockaddr_in6);
    return true;
  }
  return CALLIS_HAS(micro_names) && resolve(address, *this);
}

ior::Address SocketAddress::text() const {
  char figures[INET6_ADDRSTRLEN] = "";
  const bool six = storage.ss_family == AF_INET6;
  const void* const from = six ? static_cast<const void*>(&v6(*this).sin6_addr) : &v4(*this).sin_addr;
  if (!::inet_ntop(storage.ss_family, from, figures, sizeof figures)) figures[0] = 0;
  return {figures, ntohs(six ? v6(*this).sin6_port : v4(*this).sin_port)};
}

bool SocketAddress::is_loopback() const {
  if (storage.ss_family == AF_INET) return (ntohl(v4(*this).sin_addr.s_addr) >> 24) == 127;
  const in6_addr& a = v6(*this).sin6_addr;
  return IN6_IS_ADDR_LOOPBACK(&a) || (IN6_IS_ADDR_V4MAPPED(&a) && a.s6_addr[12] == 127);
}

Descriptor connect_to(const SocketAddress& to, TimePoint until, Error& why) {
  Descriptor made = make_socket(to.storage.ss_family, SOCK_STREAM);
  int failed = 0;
  if (!made.valid() || (::connect(made.get(), generic(to), to.bytes) != 0 && errno != EINPROGRESS)) failed = errno;
  if (failed == 0) {
    if (!Loop::instance().wait(made.get(), POLLOUT, until)) {
      why.fault = Fault::ConnectTimeout;
      return {};
    }
    socklen_t bytes = sizeof failed;
    if (::getsockopt(made.get(), SOL_SOCKET, SO_ERROR, &failed, &bytes) != 0) failed = errno;
  }
  if (failed != 0) {
    why.fault = Fault::ConnectRefused;
    why.os_error = failed;
    return {};
  }
  set_option(made.get(), IPPROTO_TCP, TCP_NODELAY);
  return made;
}

Descriptor listen_at(const SocketAddress& at, SocketAddress& bound) {
  Descriptor made = make_socket(at.storage.ss_family, SOCK_STREAM);
  if (!made.valid()) return made;
  set_option(made.get(), SOL_SOCKET, SO_REUSEADDR);
  bound.bytes = sizeof bound.storage;
  if (::bind(made.get(), generic(at), at.bytes) != 0 || ::listen(made.get(), 16) != 0 ||
      ::getsockname(made.get(), generic(bound), &bound.bytes) != 0)
    return {};
  return made;
}

Descriptor accept_from(int listener, SocketAddress& from) {
  from.bytes = sizeof from.storage;
  Descriptor taken(::accept(listener, generic(from), &from.bytes));
  if (!taken.valid()) return taken;
  (void)::fcntl(taken.get(), F_SETFD, FD_CLOEXEC);
  (void)::fcntl(taken.get(), F_SETFL, O_NONBLOCK);
  set_option(taken.get(), IPPROTO_TCP, TCP_NODELAY);
  return taken;
}

// A datagram socket that is connected has the address of the interface which leads there. Nothing is sent.
ior::Address own_address(const SocketAddress& bound) {
  ior::Address own = bound.text();
  if (bound.storage.ss_family != AF_INET || v4(bound).sin_addr.s_addr != htonl(INADDR_ANY)) return own;
  SocketAddress there, here;
  (void)there.set({"192.0.2.1", 9});
  here.bytes = sizeof here.storage;
  const Descriptor probe = make_socket(AF_INET, SOCK_DGRAM);
  const bool known = probe.valid() && ::connect(probe.get(), generic(there), there.bytes) == 0 &&
                     ::getsockname(probe.get(), generic(here), &here.bytes) == 0;
  own.host = known ? here.text().host : "127.0.0.1";
  return own;
}

ssize_t send_some(int fd, ByteView bytes) {
  const ssize_t n = ::send(fd, bytes.data(), bytes.size(), MSG_NOSIGNAL);
  if (n >= 0) return n;
  return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR ? 0 : -1;
}

// --- Inbox ---

Inbox::State Inbox::look(const Limits& limits) {
  const ByteView there = bytes_.view(from_);
  if (there.empty()) return State::Wanting;
  fault_ = giop::parse_header(there, limits, header_);
  if (fault_ == Fault::Truncated) return State::Wanting;
  if (fault_ != Fault::None) return State::Bad;
  wanted_ = header_.message_bytes();
  if (there.size() < wanted_) return State::Wanting;
  if (header_.more_fragments && CALLIS_HAS(micro_fragments)) return join(limits);
  whole_ = wanted_;
  return State::Whole;
}

Inbox::State Inbox::receive(int fd, const Limits& limits) {
  whole_ = 0;
  State state = look(limits);
  if (state != State::Wanting) return state;
  if (from_ != 0) {
    bytes_.drop_front(from_);
    from_ = 0;
  }
  // A message that has begun gets as much room again as has come of it.
  const std::size_t have = bytes_.size();
  const std::size_t wanted = std::max(wanted_, kUsualBytes);
  if (!bytes_.reserve(std::min(wanted, std::max(kUsualBytes, 2 * have)))) {
    fault_ = Fault::OutOfMemory;
    return State::Bad;
  }
  const ssize_t n = ::recv(fd, bytes_.data() + have, bytes_.capacity() - have, 0);
  if (n == 0) return State::Ended;
  if (n < 0) return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR ? State::Wanting : State::Ended;
  bytes_.set_size(have + static_cast<std::size_t>(n));
  return look(limits);
}

void Inbox::next() {
  from_ += whole_;
  whole_ = joined_ = wanted_ = 0;
  if (from_ < bytes_.size()) return;
  from_ = 0;
  bytes_.clear();
  bytes_.shrink(kUsualBytes);
}

}  // namespace callis::micro
