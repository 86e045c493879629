// SPDX-License-Identifier: Apache-2.0
// Listening sockets: accepting, doing so without descriptors, and an end that leaves nobody without an answer.
#include <callis/base/log.h>
#include <callis/transport/tcp/socket.h>
#include <callis/transport/tcp/tcp.h>
#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <linux/filter.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

namespace callis::transport {

namespace tcp {
namespace {

constexpr int kFirstPauseMs = 20, kLongestPauseMs = 1000;

bool out_of_descriptors(int e) { return e == EMFILE || e == ENFILE || e == ENOBUFS || e == ENOMEM; }

Descriptor open_spare() { return Descriptor(::open("/dev/null", O_RDONLY | O_CLOEXEC)); }

class BoundListener final : public TcpListener {
 public:
  BoundListener(Descriptor fd, Descriptor wake, NumericAddress bound)
      : fd_(std::move(fd)), wake_(std::move(wake)), spare_(open_spare()), bound_(std::move(bound)) {}

  Result<std::unique_ptr<Stream>> accept() override {
    for (;;) {
      if (wait(-1, true)) return Fault::ConnectionClosed;
      sockaddr_storage from{};
      socklen_t length = sizeof from;
      auto* address = reinterpret_cast<sockaddr*>(&from);
      Descriptor peer(::accept4(fd_.get(), address, &length, SOCK_CLOEXEC));
      if (peer.valid()) {
        pause_ms_ = 0;
        if (from.ss_family == AF_UNIX) return make_local_stream(std::move(peer));
        return make_stream(std::move(peer), numeric(address, length));
      }
      const int e = errno;
      if (e == EAGAIN || e == EWOULDBLOCK || e == EINTR || e == ECONNABORTED) continue;
      if (wait(0, false)) return Fault::ConnectionClosed;  // close() made accept4() fail
      if (!out_of_descriptors(e)) return Error{Fault::TransportFailed, e, "accept"};
      turn_away(e);
      if (wait(pause_ms_, false)) return Fault::ConnectionClosed;
    }
  }

  void set_farewell(ByteView bytes) override { farewell_ = bytes; }

  void close() noexcept override {
    const std::uint64_t one = 1;
    (void)!::write(wake_.get(), &one, sizeof one);
    // Those that have connected would be reset, and could not know that their requests were not executed. So nobody
    // connects any more before they are sent away.
    const bool local = bound_.port == 0;
    if (local) (void)::shutdown(fd_.get(), SHUT_RDWR);  // leaves those that have connected
    else refuse_connections();
    for (int n = 0; n < kBacklog && (send_one_away() || (!local && somebody_comes())); ++n) {}
    if (!local) (void)::shutdown(fd_.get(), SHUT_RDWR);  // resets them
  }

  const std::string& host() const override { return bound_.host; }
  std::uint16_t port() const override { return bound_.port; }
  bool wildcard() const override { return bound_.host == "0.0.0.0" || bound_.host == "::"; }

 private:
  // Waits for a connection (or only for time to pass); true when closed.
  bool wait(int ms, bool for_connections) {
    pollfd p[2] = {{wake_.get(), POLLIN, 0}, {fd_.get(), POLLIN, 0}};
    (void)::poll(p, for_connections ? 2 : 1, ms);
    return p[0].revents != 0;
  }

  // With the spare descriptor given up, the connection at the head of the queue is taken and closed: its
  // peer learns at once, and the listening socket does not stay readable for ever.
  void turn_away(int os_error) {
    if (pause_ms_ == 0)
      log_failed("turning connections away", os_error);
    spare_.reset();
    (void)send_one_away();
    spare_ = open_spare();
    pause_ms_ = std::clamp(pause_ms_ * 2, kFirstPauseMs, kLongestPauseMs);
  }

  // The kernel drops what asks for a connection; connections that are nearly open still open. Who asks does so again
  // a second later, and finds the socket closed.
  void refuse_connections() noexcept {
    constexpr std::uint32_t kFlags = 13,
                            kSyn = 0x02;  // RFC 9293, 3.1; a listening socket's filter sees the TCP header
    sock_filter code[] = {{BPF_LD | BPF_B | BPF_ABS, 0, 0, kFlags},
                          {BPF_JMP | BPF_JSET | BPF_K, 0, 1, kSyn},
                          {BPF_RET | BPF_K, 0, 0, 0},
                          {BPF_RET | BPF_K, 0, 0, UINT32_MAX}};
    const sock_fprog filter{std::size(code), code};
    (void)::setsockopt(fd_.get(), SOL_SOCKET, SO_ATTACH_FILTER, &filter, sizeof filter);
  }

  // Of connections that were nearly open one may open a moment later.
  bool somebody_comes() noexcept {
    constexpr int kMomentMs = 2;
    pollfd p{fd_.get(), POLLIN, 0};
    return ::poll(&p, 1, kMomentMs) > 0;
  }

  // The connection at the head of the queue; false when there is none.
  bool send_one_away() noexcept {
    const Descriptor peer(::accept4(fd_.get(), nullptr, nullptr, SOCK_CLOEXEC));
    if (peer.valid() && !farewell_.empty())
      (void)::send(peer.get(), farewell_.data(), farewell_.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    return peer.valid();
  }

  Descriptor fd_, wake_, spare_;
  NumericAddress bound_;
  ByteView farewell_;
  int pause_ms_ = 0;
};

// Returns 0, or an errno and which step failed.
int open_listening(const addrinfo& at, Descriptor& out) {
  Descriptor fd(::socket(at.ai_family, at.ai_socktype | SOCK_NONBLOCK | SOCK_CLOEXEC, at.ai_protocol));
  if (!fd.valid()) return errno;
  const int on = 1, off = 0;
  (void)::setsockopt(fd.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  if (at.ai_family == AF_INET6) (void)::setsockopt(fd.get(), IPPROTO_IPV6, IPV6_V6ONLY, &off, sizeof off);
  if (::bind(fd.get(), at.ai_addr, at.ai_addrlen) != 0) return errno;
  if (::listen(fd.get(), kBacklog) != 0) return errno;
  out = std::move(fd);
  return 0;
}

}  // namespace

Result<std::unique_ptr<TcpListener>> make_listener(Descriptor fd, NumericAddress bound) {
  Descriptor wake(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  if (!wake.valid()) return Error{Fault::TransportFailed, errno, "no descriptor to wake a listener with"};
  return Result<std::unique_ptr<TcpListener>>(
      std::make_unique<BoundListener>(std::move(fd), std::move(wake), std::move(bound)));
}

}  // namespace tcp

Result<std::unique_ptr<TcpListener>> listen_tcp(const std::string& host, std::uint16_t port) {
  auto list = tcp::resolve(host, port, AI_PASSIVE, Deadline());
  if (!list) return list.error();
  // For all interfaces, IPv6 first: such a socket takes IPv4 too.
  const int preferred = host.empty() ? AF_INET6 : list->first->ai_family;
  int os_error = EADDRNOTAVAIL;
  tcp::Descriptor fd;
  for (int pass = 0; pass < 2 && !fd.valid(); ++pass)
    for (const addrinfo* a = list->first; a && !fd.valid(); a = a->ai_next)
      if ((a->ai_family == preferred) == (pass == 0)) os_error = tcp::open_listening(*a, fd);
  const std::string wanted = address_text(host.empty() ? "*" : host, port);
  if (!fd.valid()) return Error{Fault::TransportFailed, os_error, "cannot listen on " + wanted};
  sockaddr_storage own{};
  socklen_t length = sizeof own;
  if (::getsockname(fd.get(), reinterpret_cast<sockaddr*>(&own), &length) != 0)
    return Error{Fault::TransportFailed, errno, "cannot listen on " + wanted};
  return tcp::make_listener(std::move(fd), tcp::numeric(reinterpret_cast<sockaddr*>(&own), length));
}

}  // namespace callis::transport
