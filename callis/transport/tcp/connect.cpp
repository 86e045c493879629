// SPDX-License-Identifier: Apache-2.0
#include <callis/base/text.h>
#include <callis/transport/tcp/socket.h>
#include <callis/transport/tcp/tcp.h>
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <poll.h>

namespace callis::transport {

namespace tcp {
namespace {

// A connect to a port of this machine that nobody listens on can, once in thousands of times, pick that very port
// as its own and meet itself (simultaneous open, RFC 9293 3.5).
bool connected_to_itself(int fd) {
  sockaddr_storage own{}, peer{};
  socklen_t own_length = sizeof own, peer_length = sizeof peer;
  return ::getsockname(fd, reinterpret_cast<sockaddr*>(&own), &own_length) == 0 &&
         ::getpeername(fd, reinterpret_cast<sockaddr*>(&peer), &peer_length) == 0 && own_length == peer_length &&
         std::memcmp(&own, &peer, own_length) == 0;
}

// One attempt. Returns 0 and the connected socket, or an errno (ETIMEDOUT at the deadline).
int attempt(const addrinfo& to, Deadline deadline, Descriptor& out) {
  Descriptor fd(::socket(to.ai_family, to.ai_socktype | SOCK_NONBLOCK | SOCK_CLOEXEC, to.ai_protocol));
  if (!fd.valid()) return errno;
  if (::connect(fd.get(), to.ai_addr, to.ai_addrlen) != 0) {
    if (errno != EINPROGRESS && errno != EINTR) return errno;
    pollfd p{fd.get(), POLLOUT, 0};
    int ready;
    while ((ready = ::poll(&p, 1, deadline.poll_ms())) < 0 && errno == EINTR) {}
    if (ready < 0) return errno;
    if (ready == 0) return ETIMEDOUT;
    int status = 0;
    socklen_t length = sizeof status;
    if (::getsockopt(fd.get(), SOL_SOCKET, SO_ERROR, &status, &length) != 0) return errno;
    if (status != 0) return status;
  }
  if (connected_to_itself(fd.get())) return ECONNREFUSED;
  const int flags = ::fcntl(fd.get(), F_GETFL);
  if (flags < 0 || ::fcntl(fd.get(), F_SETFL, flags & ~O_NONBLOCK) != 0) return errno;
  out = std::move(fd);
  return 0;
}

Deadline share_of(Deadline whole, std::size_t addresses_left) {
  if (whole.is_never() || addresses_left < 2) return whole;
  const TimePoint now = Clock::steady().now();
  const auto left = whole.time() - now;
  return left <= left.zero() ? whole : Deadline::at(now + left / static_cast<long>(addresses_left));
}

}  // namespace

void Failures::add(const std::string& address, int os_error, TimePoint since) {
  const auto took = std::chrono::duration_cast<Duration>(Clock::steady().now() - since).count();
  const bool timed_out = os_error == ETIMEDOUT, refused = os_error == ECONNREFUSED;
  const Decimal number(static_cast<std::uint64_t>(os_error));
  const std::string errno_text =
      timed_out ? std::string() : concat({refused ? "" : std::strerror(os_error), " (errno ", number, ")"});
  detail_ = concat({detail_, detail_.empty() ? "" : "; ", address,
                    timed_out ? " timed out"
                    : refused ? " refused"
                              : " failed: ",
                    errno_text, " after ", Decimal(static_cast<std::uint64_t>(took)), " ms"});
  timed_out_ |= timed_out;
  refused_ |= refused;
  last_ = os_error;
}

Error Failures::error() const {
  const Fault f = timed_out_ ? Fault::ConnectTimeout : refused_ ? Fault::ConnectRefused : Fault::TransportFailed;
  return {f, last_, detail_};
}

}  // namespace tcp

Result<std::unique_ptr<Stream>> connect_tcp(const std::string& host, std::uint16_t port, Deadline deadline) {
  if (host.empty()) return Error{Fault::ResolveFailed, 0, "no host name"};
  auto list = tcp::resolve(host, port, 0, deadline);
  if (!list) return list.error();
  std::size_t left = 0;
  for (const addrinfo* a = list->first; a; a = a->ai_next) ++left;
  tcp::Failures failures;
  for (const addrinfo* a = list->first; a; a = a->ai_next, --left) {
    const TimePoint start = Clock::steady().now();
    tcp::NumericAddress peer = tcp::numeric(a->ai_addr, a->ai_addrlen);
    tcp::Descriptor fd;
    const int os_error = tcp::attempt(*a, tcp::share_of(deadline, left), fd);
    if (os_error == 0) return tcp::make_stream(std::move(fd), std::move(peer));
    failures.add(address_text(peer.host, peer.port), os_error, start);
  }
  return failures.error();
}

}  // namespace callis::transport
