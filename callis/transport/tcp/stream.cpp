// SPDX-License-Identifier: Apache-2.0
// Connected sockets: sending and receiving within deadlines, with as few system calls as can be.
#include <callis/base/blocking_scope.h>
#include <callis/transport/tcp/socket.h>
#include <callis/transport/tcp/spin.h>
#include <callis/transport/tcp/system_calls.h>
#include <callis/transport/tcp/tcp.h>
#include <algorithm>
#include <cerrno>
#include <climits>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sched.h>
#include <sys/time.h>
#include <sys/uio.h>

namespace callis::transport::tcp {

constinit SystemCalls system_calls;

namespace {

// The kernel's time-out for one direction of a blocking socket. It may be shorter than the time left: the
// caller then finds the deadline not passed and asks again. So one setting lasts for many calls.
class KernelTimeout {
 public:
  using Nanos = std::chrono::nanoseconds;

  explicit KernelTimeout(int option) : option_(option) {}

  // Makes sure that a blocking call now would end by the deadline.
  void cover(int fd, Deadline deadline, TimePoint now) { cover(fd, deadline.time() - now); }
  // left: until then.
  void cover(int fd, Nanos left) {
    if (left < in_force_) [[unlikely]] shorten(fd, left);
  }
  // How long a blocking call has lasted at least that ended without a result.
  Nanos in_force() const { return in_force_; }
  // A blocking call ended too early: the setting is too short for this deadline.
  [[gnu::cold, gnu::noinline]] void lengthen(int fd, Deadline deadline) {
    set(fd, deadline.is_never() ? Nanos{0} : std::max(deadline.time() - Clock::steady().now(), Nanos{1}));
  }

 private:
  static constexpr Nanos kNone = Nanos::max() / 2;  // less than what is left until never

  [[gnu::cold, gnu::noinline]] void shorten(int fd, Nanos left) {
    left = std::max(left, Nanos{1});
    // An eighth less than the time left serves the next calls with deadlines as far ahead too.
    set(fd, left > std::chrono::milliseconds(100) ? left - left / 8 : left);
  }
  // 0: none.
  void set(int fd, Nanos value) {
    using std::chrono::microseconds;
    microseconds us{0};
    if (value != Nanos{0})
      us = std::clamp(std::chrono::ceil<microseconds>(value), microseconds{1000},
                      microseconds{std::chrono::hours{24}});
    timeval tv{};
    tv.tv_sec = static_cast<time_t>(us.count() / 1'000'000);
    tv.tv_usec = static_cast<suseconds_t>(us.count() % 1'000'000);
    if (::setsockopt(fd, SOL_SOCKET, option_, &tv, sizeof tv) == 0)
      in_force_ = us.count() == 0 ? kNone : Nanos(us);
  }

  int option_;
  Nanos in_force_ = kNone;
};

bool would_block(int e) { return e == EAGAIN || e == EWOULDBLOCK; }

Fault fault_of(int os_error) {
  switch (os_error) {
    case ECONNRESET: case EPIPE: case ECONNABORTED: case ENOTCONN: case ETIMEDOUT: case ESHUTDOWN:
    case ENETRESET: case ENETUNREACH: case EHOSTUNREACH: case ENETDOWN:
      return Fault::ConnectionLost;
    default:
      return Fault::TransportFailed;
  }
}

class SocketStream final : public Stream {
  using Nanos = KernelTimeout::Nanos;

 public:
  SocketStream(Descriptor fd, std::string peer, Peer identity)
      : fd_(std::move(fd)), peer_(std::move(peer)), identity_(std::move(identity)) {}

  using Stream::send;
  [[gnu::hot]] Transfer send(std::span<const ByteView> parts, Deadline deadline) override {
    if (parts.size() != 1) return send_parts(parts, deadline);
    // A message nearly always fits the socket's buffer: no waiting, no time-out to be set.
    const ByteView whole = parts[0];
    const ssize_t n = send_bytes(fd_.get(), whole.data(), whole.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    if (n == static_cast<ssize_t>(whole.size())) [[likely]] return {whole.size()};
    return send_rest(whole, n, deadline);
  }

  [[gnu::hot]] Transfer send_within(std::span<const ByteView> parts, Duration limit) override {
    if (parts.size() != 1) return send_parts(parts, Deadline::in(limit));
    const ByteView whole = parts[0];
    const ssize_t n = send_bytes(fd_.get(), whole.data(), whole.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    if (n == static_cast<ssize_t>(whole.size())) [[likely]] return {whole.size()};
    return send_rest_within(whole, n, limit);
  }

  [[gnu::hot]] Transfer receive_within(MutableBytes into, Duration limit) override {
    if (spin_.due()) [[unlikely]] {
      const ssize_t n = spin(into);
      if (n > 0) return {static_cast<std::size_t>(n)};
    }
    receive_timeout_.cover(fd_.get(), limit.count() > 0 ? Nanos(limit) : Nanos::max());
    const ssize_t n = receive_bytes(fd_.get(), into.data(), into.size());
    if (n > 0) [[likely]] return {static_cast<std::size_t>(n)};
    return receive_rest(n, into, limit);
  }

  using Stream::receive;
  [[gnu::hot]] Transfer receive(MutableBytes into, Deadline deadline, TimePoint now) override {
    if (spin_.due()) [[unlikely]] {
      const ssize_t n = spin(into);
      if (n > 0) return {static_cast<std::size_t>(n)};
    }
    receive_timeout_.cover(fd_.get(), deadline, now);
    const ssize_t n = receive_bytes(fd_.get(), into.data(), into.size());
    if (n > 0) [[likely]] return {static_cast<std::size_t>(n)};
    return receive_again(n, into, deadline);
  }

  int descriptor() const override { return fd_.get(); }

  Transfer receive_now(MutableBytes into) override {
    for (;;) {
      const ssize_t n = receive_bytes(fd_.get(), into.data(), into.size(), MSG_DONTWAIT);
      if (n > 0) [[likely]] return {static_cast<std::size_t>(n)};
      if (n == 0) return {0, Fault::ConnectionLost};
      if (errno != EINTR) return {0, would_block(errno) ? Fault::DeadlinePassed : fault_of(errno), errno};
    }
  }

  [[gnu::hot]] Transfer send_now(std::span<const ByteView> parts) override {
    Transfer done;
    for (; !parts.empty(); parts = parts.subspan(1)) {
      // As many as one system call takes; the last of few parts goes by the cheapest one.
      if (parts.size() > 1) {
        iovec vec[kMaxParts];
        const std::size_t n = fill(vec, parts);
        std::size_t bytes = 0;
        for (std::size_t i = 0; i < n; ++i) bytes += vec[i].iov_len;
        msghdr message{};
        message.msg_iov = vec;
        message.msg_iovlen = n;
        if (!sent_now(::sendmsg(fd_.get(), &message, MSG_NOSIGNAL | MSG_DONTWAIT), bytes, done)) return done;
        parts = parts.subspan(n - 1);
      } else {
        const ByteView whole = parts[0];
        if (!sent_now(send_bytes(fd_.get(), whole.data(), whole.size(), MSG_NOSIGNAL | MSG_DONTWAIT), whole.size(),
                      done))
          return done;
      }
    }
    return done;
  }

  void set_spin(std::chrono::microseconds longest) override { spin_.set_longest(longest); }

  bool quiet() override {
    Byte b;
    ssize_t n;
    while ((n = ::recv(fd_.get(), &b, 1, MSG_PEEK | MSG_DONTWAIT)) < 0 && errno == EINTR) {}
    return n < 0 && would_block(errno);
  }

  void finish_sending() noexcept override { (void)::shutdown(fd_.get(), SHUT_WR); }
  void stop_receiving() noexcept override { (void)::shutdown(fd_.get(), SHUT_RD); }
  void shutdown() noexcept override {
    const linger none{.l_onoff = 1, .l_linger = 0};
    (void)::setsockopt(fd_.get(), SOL_SOCKET, SO_LINGER, &none, sizeof none);
    (void)::shutdown(fd_.get(), SHUT_RDWR);
  }
  const std::string& peer() const override { return peer_; }
  const Peer& peer_identity() const override { return identity_; }

 private:
  // Bytes received; 0 or less when a receive that waits is to find out. Waits no longer than kPreempted beyond the
  // policy's time, whatever the deadline: that is less than the grain of deadlines.
  [[gnu::noinline]] ssize_t spin(MutableBytes into) {
    constexpr std::chrono::microseconds kPreempted{100};  // between two looks
    const SpinPermit permit;
    ssize_t n = 0;
    const auto see = [&] {
      n = receive_bytes(fd_.get(), into.data(), into.size(), MSG_DONTWAIT);
      return n >= 0 || !would_block(errno);
    };
    look_again(spin_, kPreempted, see, bool(permit));
    return n;
  }

  // n: what the first attempt returned.
  [[gnu::cold, gnu::noinline]] Transfer send_rest(ByteView whole, ssize_t n, Deadline deadline) {
    if (n < 0 && errno != EINTR && !would_block(errno)) return {0, fault_of(errno), errno};
    const std::size_t sent = n > 0 ? static_cast<std::size_t>(n) : 0;
    if (deadline.passed()) return {sent, Fault::DeadlinePassed};
    const ByteView rest = whole.subspan(sent);
    Transfer t = send_parts({&rest, 1}, deadline);
    t.bytes += sent;
    return t;
  }

  [[gnu::cold, gnu::noinline]] Transfer send_rest_within(ByteView whole, ssize_t n, Duration limit) {
    const int e = errno;
    const Deadline deadline = Deadline::in(limit);
    errno = e;
    return send_rest(whole, n, deadline);
  }

  // n: what the first attempt returned. Where it ended without a result, the kernel's time-out has passed.
  [[gnu::cold, gnu::noinline]] Transfer receive_rest(ssize_t n, MutableBytes into, Duration limit) {
    const int e = errno;
    Deadline deadline;
    if (limit.count() > 0) {
      const Nanos passed = n < 0 && would_block(e) ? receive_timeout_.in_force() : Nanos{0};
      deadline = Deadline::at(Clock::steady().now() + (limit - passed));
    }
    errno = e;
    return receive_again(n, into, deadline);
  }

  // n: what the last attempt returned.
  [[gnu::cold, gnu::noinline]] Transfer receive_again(ssize_t n, MutableBytes into, Deadline deadline) {
    for (; n <= 0; n = ::recv(fd_.get(), into.data(), into.size(), 0)) {
      if (n == 0) return {0, Fault::ConnectionLost};
      const int e = errno;
      if (e != EINTR && !would_block(e)) return {0, fault_of(e), e};
      if (deadline.passed()) return {0, Fault::DeadlinePassed};
      if (e != EINTR) receive_timeout_.lengthen(fd_.get(), deadline);
    }
    return {static_cast<std::size_t>(n)};
  }

  static constexpr std::size_t kMaxParts = 64;
  static std::size_t fill(iovec (&vec)[kMaxParts], std::span<const ByteView> parts) {
    const std::size_t n = std::min(parts.size(), kMaxParts);
    for (std::size_t i = 0; i < n; ++i) vec[i] = {const_cast<Byte*>(parts[i].data()), parts[i].size()};
    return n;
  }

  // n: what a send of so many bytes returned that does not wait. False when there is no going on; done says why.
  bool sent_now(ssize_t n, std::size_t wanted, Transfer& done) {
    if (n == static_cast<ssize_t>(wanted)) [[likely]] {
      done.bytes += wanted;
      return true;
    }
    if (n >= 0) done.bytes += static_cast<std::size_t>(n);
    const bool no_room = n >= 0 || would_block(errno) || errno == EINTR;
    done.fault = no_room ? Fault::DeadlinePassed : fault_of(errno);
    done.os_error = no_room ? 0 : errno;
    return false;
  }

  Transfer send_parts(std::span<const ByteView> parts, Deadline deadline) {
    Transfer done;
    done.waited = true;
    while (!parts.empty()) {
      iovec vec[kMaxParts];
      const std::size_t n = fill(vec, parts);
      if (!send_all(vec, n, deadline, done)) break;
      parts = parts.subspan(n);
    }
    return done;
  }

  // False when done holds a fault.
  bool send_all(iovec* vec, std::size_t count, Deadline deadline, Transfer& done) {
    const BlockingScope blocked;
    send_timeout_.cover(fd_.get(), deadline, Clock::steady().now());
    msghdr message{};
    message.msg_iov = vec;
    message.msg_iovlen = count;
    while (message.msg_iovlen != 0) {
      if (message.msg_iov->iov_len == 0) {
        ++message.msg_iov;
        --message.msg_iovlen;
        continue;
      }
      const ssize_t n = message.msg_iovlen == 1
          ? ::send(fd_.get(), message.msg_iov->iov_base, message.msg_iov->iov_len, MSG_NOSIGNAL)
          : ::sendmsg(fd_.get(), &message, MSG_NOSIGNAL);
      if (n >= 0) {
        done.bytes += static_cast<std::size_t>(n);
        consume(message, static_cast<std::size_t>(n));
        if (message.msg_iovlen == 0) return true;
        if (!deadline.passed()) continue;  // a peer that reads slowly: the time-out cut this send short
        done.fault = Fault::DeadlinePassed;
        return false;
      }
      if (errno == EINTR && !deadline.passed()) continue;
      if (errno != EINTR && !would_block(errno)) {
        done.os_error = errno;
        done.fault = fault_of(errno);
        return false;
      }
      if (deadline.passed()) {
        done.fault = Fault::DeadlinePassed;
        return false;
      }
      send_timeout_.lengthen(fd_.get(), deadline);
    }
    return true;
  }

  static void consume(msghdr& message, std::size_t n) {
    while (n != 0 && n >= message.msg_iov->iov_len) {
      n -= message.msg_iov->iov_len;
      ++message.msg_iov;
      --message.msg_iovlen;
    }
    if (n != 0) {
      message.msg_iov->iov_base = static_cast<Byte*>(message.msg_iov->iov_base) + n;
      message.msg_iov->iov_len -= n;
    }
  }

  Descriptor fd_;
  SpinPolicy spin_;
  KernelTimeout receive_timeout_{SO_RCVTIMEO};
  KernelTimeout send_timeout_{SO_SNDTIMEO};
  const std::string peer_;
  const Peer identity_;
};

}  // namespace

std::unique_ptr<Stream> make_stream(Descriptor fd, std::string peer, Peer identity) {
  return std::make_unique<SocketStream>(std::move(fd), std::move(peer), std::move(identity));
}

std::unique_ptr<Stream> make_stream(Descriptor fd, NumericAddress peer) {
  const int on = 1;
  (void)::setsockopt(fd.get(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  (void)::setsockopt(fd.get(), SOL_SOCKET, SO_KEEPALIVE, &on, sizeof on);
  std::string text = address_text(peer.host, peer.port);
  return make_stream(std::move(fd), std::move(text), Peer::at(std::move(peer.host)));
}

}  // namespace callis::transport::tcp
