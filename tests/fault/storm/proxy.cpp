// SPDX-License-Identifier: Apache-2.0
// A proxy that cuts, delays and closes connections between clients and a server.
#include "storm/proxy.h"
#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdexcept>
#include <sys/socket.h>
#include <unistd.h>

namespace storm {
namespace {

sockaddr_in loopback(std::uint16_t port) {
  sockaddr_in a{};
  a.sin_family = AF_INET;
  a.sin_port = htons(port);
  a.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return a;
}

void reset(int fd) {
  const linger at_once{1, 0};
  (void)::setsockopt(fd, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
  (void)::close(fd);
}

int connect_to(std::uint16_t port) {
  const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const sockaddr_in a = loopback(port);
  if (fd >= 0 && ::connect(fd, reinterpret_cast<const sockaddr*>(&a), sizeof a) == 0) return fd;
  if (fd >= 0) (void)::close(fd);
  return -1;
}

bool send_all(int fd, const char* bytes, std::size_t n) {
  while (n != 0) {
    const ssize_t sent = ::send(fd, bytes, n, MSG_NOSIGNAL);
    if (sent <= 0) return false;
    bytes += sent;
    n -= static_cast<std::size_t>(sent);
  }
  return true;
}

}  // namespace

// One direction.
struct FaultProxy::Pump {
  int from, to;
  std::uint64_t passed = 0;
  bool open = true;
};

FaultProxy::FaultProxy(std::uint16_t server_port, std::uint64_t seed, std::uint32_t mean_bytes)
    : server_port_(server_port), random_(seed), mean_bytes_(mean_bytes) {
  listener_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in a = loopback(0);
  socklen_t size = sizeof a;
  if (::bind(listener_, reinterpret_cast<const sockaddr*>(&a), size) != 0 || ::listen(listener_, 512) != 0 ||
      ::getsockname(listener_, reinterpret_cast<sockaddr*>(&a), &size) != 0)
    throw std::runtime_error("the proxy cannot listen");
  port_ = ntohs(a.sin_port);
  acceptor_ = std::thread([this] { accept(); });
}

FaultProxy::~FaultProxy() {
  stopping_ = true;
  (void)::shutdown(listener_, SHUT_RDWR);
  acceptor_.join();
  (void)::close(listener_);
  for (std::thread& t : passing_) t.join();
}

void FaultProxy::accept() {
  while (!stopping_) {
    const int client = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
    if (client < 0) continue;
    ++connections_;
    const std::mt19937_64 random(random_());
    std::lock_guard lock(mutex_);
    passing_.emplace_back([this, client, random] { pass(client, random); });
  }
}

FaultProxy::Plan FaultProxy::plan(std::mt19937_64& random) const {
  return {static_cast<Kind>(random() % 6), random() % (2 * std::uint64_t{mean_bytes_}) + 1,
          static_cast<std::uint32_t>(random() % 50)};
}

void FaultProxy::pass(int client, std::mt19937_64 random) {
  const int server = connect_to(server_port_);
  if (server < 0) return reset(client);
  for (const int fd : {client, server}) {
    const int on = 1;
    (void)::setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  }
  Pump requests{client, server}, replies{server, client};
  Plan next = plan(random);
  const auto of_requests = [&next] {
    return next.kind == Kind::ResetRequests || next.kind == Kind::EndRequests || next.kind == Kind::Slices;
  };
  while (!stopping_ && (requests.open || replies.open)) {
    pollfd polled[2] = {{requests.open ? client : -1, POLLIN, 0}, {replies.open ? server : -1, POLLIN, 0}};
    if (::poll(polled, 2, 100) <= 0) continue;
    for (int i = 0; i < 2; ++i) {
      if (polled[i].revents == 0) continue;
      Pump& p = i == 0 ? requests : replies;
      char bytes[16384];
      const ssize_t n = ::recv(p.from, bytes, sizeof bytes, 0);
      if (n <= 0) {
        p.open = false;
        (void)::shutdown(p.to, SHUT_WR);
        if (n < 0) requests.open = replies.open = false;
        continue;
      }
      std::size_t size = static_cast<std::size_t>(n);
      if ((i == 0) == of_requests() && p.passed + size >= next.after) {
        ++faults_;
        const std::size_t before = static_cast<std::size_t>(next.after - p.passed);
        switch (next.kind) {
          case Kind::ResetRequests:
          case Kind::ResetReplies:
            (void)send_all(p.to, bytes, before);
            reset(client);
            return reset(server);
          case Kind::EndRequests:
          case Kind::EndReplies:
            (void)send_all(p.to, bytes, before);
            (void)::shutdown(p.to, SHUT_WR);
            (void)::shutdown(p.from, SHUT_RD);
            p.open = false;
            continue;
          case Kind::Slices:
            for (std::size_t at = 0; at + 1 < size; ++at)
              if (!send_all(p.to, bytes + at, 1)) break;
            bytes[0] = bytes[size - 1];
            size = 1;
            break;
          case Kind::Pause: std::this_thread::sleep_for(std::chrono::milliseconds(next.pause_ms)); break;
        }
        next = plan(random);
        requests.passed = replies.passed = 0;
      }
      p.passed += size;
      if (!send_all(p.to, bytes, size)) requests.open = replies.open = false;
    }
  }
  (void)::close(client);
  (void)::close(server);
}

}  // namespace storm
