// SPDX-License-Identifier: Apache-2.0
#include <arpa/inet.h>
#include <poll.h>
#include <services/common/testing/lossy_proxy.h>
#include <sys/socket.h>
#include <unistd.h>

namespace callis::services::testing {

namespace {

sockaddr_in loopback(int port) {
  sockaddr_in out{};
  out.sin_family = AF_INET;
  out.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  out.sin_port = htons(static_cast<std::uint16_t>(port));
  return out;
}

}  // namespace

LossyProxy::LossyProxy(int to_port) : to_port_(to_port), listener_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
  sockaddr_in address = loopback(0);
  socklen_t size = sizeof address;
  ::bind(listener_, reinterpret_cast<const sockaddr*>(&address), size);
  ::listen(listener_, 64);
  ::getsockname(listener_, reinterpret_cast<sockaddr*>(&address), &size);
  port_ = ntohs(address.sin_port);
  acceptor_ = std::thread([this] { accept_all(); });
}

LossyProxy::~LossyProxy() {
  stop_ = true;
  ::shutdown(listener_, SHUT_RDWR);
  acceptor_.join();
  ::close(listener_);
  for (std::thread& each : threads_) each.join();
}

void LossyProxy::lose(const std::string& path, int answers) {
  const std::lock_guard lock(mutex_);
  path_ = path;
  to_lose_ = answers;
}

bool LossyProxy::shall_lose(const std::string& request) {
  const std::lock_guard lock(mutex_);
  if (to_lose_ == 0 || request.find("POST " + path_) == std::string::npos) return false;
  --to_lose_;
  return true;
}

void LossyProxy::accept_all() {
  for (;;) {
    const int client = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
    if (client < 0) return;
    threads_.emplace_back([this, client] { serve(client); });
  }
}

void LossyProxy::serve(int client) {
  const int server = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const sockaddr_in address = loopback(to_port_);
  bool lose = false;
  if (::connect(server, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0) {
    while (!stop_) {
      pollfd ends[] = {{client, POLLIN, 0}, {server, POLLIN, 0}};
      if (::poll(ends, 2, 50) < 0) break;
      char bytes[65536];
      if (ends[1].revents != 0) {
        const ssize_t n = ::recv(server, bytes, sizeof bytes, 0);
        if (lose) ++lost_;
        if (n <= 0 || lose || ::send(client, bytes, static_cast<std::size_t>(n), MSG_NOSIGNAL) != n) break;
      }
      if (ends[0].revents != 0) {
        const ssize_t n = ::recv(client, bytes, sizeof bytes, 0);
        if (n <= 0) break;
        if (shall_lose(std::string(bytes, static_cast<std::size_t>(n)))) lose = true;
        if (::send(server, bytes, static_cast<std::size_t>(n), MSG_NOSIGNAL) != n) break;
      }
    }
  }
  ::close(client);
  ::close(server);
}

}  // namespace callis::services::testing
