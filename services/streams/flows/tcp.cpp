// SPDX-License-Identifier: Apache-2.0
// TCP for flows.
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <services/streams/flows/flow_failed.h>
#include <services/streams/flows/tcp.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <cerrno>

namespace callis::streams {
namespace {

using Clock = std::chrono::steady_clock;

// False: the time is over.
bool wait_for(int fd, short events, Clock::time_point until) {
  while (true) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(until - Clock::now()).count();
    if (left <= 0) return false;
    pollfd one{fd, events, 0};
    const int ready = ::poll(&one, 1, static_cast<int>(std::min<long long>(left, 60000)));
    if (ready > 0) return true;
    if (ready < 0 && errno != EINTR) return false;
  }
}

Descriptor bound_socket(const SocketAddress& at) {
  Descriptor fd(::socket(at.family(), SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!fd) fail_with_errno("making a TCP socket for a flow", errno);
  if (::bind(fd.get(), at.get(), at.size()) != 0) fail_with_errno("binding a flow to TCP " + at.text(), errno);
  return fd;
}

SocketAddress local_of(int fd) {
  sockaddr_storage at{};
  socklen_t size = sizeof at;
  if (getsockname(fd, reinterpret_cast<sockaddr*>(&at), &size) != 0) {
    fail_with_errno("asking a flow's socket for its address", errno);
  }
  return {at, size};
}

}  // namespace

TcpConnection::TcpConnection(Descriptor fd) : fd_(std::move(fd)) {
  const int on = 1;
  setsockopt(fd_.get(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  // Blocking calls take all bytes at once, and are woken by shut_down(): half the system calls of poll() and send().
  fcntl(fd_.get(), F_SETFL, fcntl(fd_.get(), F_GETFL) & ~O_NONBLOCK);
}

TcpConnector::TcpConnector(const SocketAddress& at) : fd_(bound_socket(at)) {}

SocketAddress TcpConnector::local() const { return local_of(fd_.get()); }

TcpConnection TcpConnector::connect(const SocketAddress& peer, std::chrono::milliseconds within) {
  const std::string tried = "connecting a flow to TCP " + peer.text();
  Descriptor fd = std::move(fd_);
  if (::connect(fd.get(), peer.get(), peer.size()) != 0) {
    if (errno != EINPROGRESS) fail_with_errno(tried, errno);
    if (!wait_for(fd.get(), POLLOUT, Clock::now() + within)) {
      throw FlowFailed(tried + ": no answer within " + std::to_string(within.count()) + " ms");
    }
    int error = 0;
    socklen_t size = sizeof error;
    if (getsockopt(fd.get(), SOL_SOCKET, SO_ERROR, &error, &size) != 0 || error != 0) fail_with_errno(tried, error);
  }
  return TcpConnection(std::move(fd));
}

SocketAddress TcpConnection::peer() const {
  sockaddr_storage at{};
  socklen_t size = sizeof at;
  if (getpeername(fd(), reinterpret_cast<sockaddr*>(&at), &size) != 0) return {};
  return {at, size};
}

bool TcpConnection::send(ByteView head, ByteView body, std::chrono::milliseconds within) const {
  if (within != send_within_) {
    const auto ms = within.count();
    const timeval limit{static_cast<time_t>(ms / 1000), static_cast<suseconds_t>(ms % 1000 * 1000)};
    setsockopt(fd(), SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
    send_within_ = within;
  }
  iovec parts[2] = {{const_cast<Byte*>(head.data()), head.size()}, {const_cast<Byte*>(body.data()), body.size()}};
  std::size_t left = head.size() + body.size();
  Clock::time_point until{};  // set when the kernel takes a part alone
  for (std::size_t first = 0; left > 0;) {
    msghdr message{};
    message.msg_iov = parts + first;
    message.msg_iovlen = 2 - first;
    const ssize_t sent = ::sendmsg(fd(), &message, MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent < 0 && errno != EAGAIN && errno != EWOULDBLOCK) return false;
    if (sent >= 0 && static_cast<std::size_t>(sent) == left) return true;
    // The time is over, or a signal has come in between.
    if (sent < 0 || (until != Clock::time_point{} && Clock::now() >= until)) {
      errno = ETIMEDOUT;
      return false;
    }
    if (until == Clock::time_point{}) until = Clock::now() + within;
    left -= static_cast<std::size_t>(sent);
    for (auto gone = static_cast<std::size_t>(sent); first < 2; ++first) {
      const std::size_t here = std::min(gone, parts[first].iov_len);
      parts[first].iov_base = static_cast<Byte*>(parts[first].iov_base) + here;
      parts[first].iov_len -= here;
      gone -= here;
      if (parts[first].iov_len) break;
    }
  }
  return true;
}

std::ptrdiff_t TcpConnection::receive(MutableBytes into, bool wait) const {
  while (true) {
    const ssize_t got = ::recv(fd(), into.data(), into.size(), wait ? 0 : MSG_DONTWAIT);
    if (got > 0) return got;
    if (got == 0) return -1;
    if (errno == EINTR) continue;
    return errno == EAGAIN || errno == EWOULDBLOCK ? 0 : -1;
  }
}

void TcpConnection::shut_down() const {
  if (fd_) ::shutdown(fd_.get(), SHUT_RDWR);
}

TcpListener::TcpListener(const SocketAddress& at) : fd_(bound_socket(at)) {
  if (::listen(fd_.get(), 4) != 0) fail_with_errno("listening for a flow at TCP " + at.text(), errno);
}

SocketAddress TcpListener::local() const { return local_of(fd_.get()); }

TcpConnection TcpListener::accept(const SocketAddress& only) {
  while (true) {
    sockaddr_storage from{};
    socklen_t size = sizeof from;
    Descriptor fd(::accept4(fd_.get(), reinterpret_cast<sockaddr*>(&from), &size, SOCK_CLOEXEC | SOCK_NONBLOCK));
    if (!fd) {
      if (errno == EINTR || errno == ECONNABORTED) continue;
      return {};
    }
    const SocketAddress peer(from, size);
    if (only.empty() || (only.port() ? peer == only : peer.same_host(only))) return TcpConnection(std::move(fd));
    std::atomic_ref(strangers_).fetch_add(1, std::memory_order_relaxed);
  }
}

}  // namespace callis::streams
