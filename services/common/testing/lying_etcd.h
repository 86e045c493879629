// SPDX-License-Identifier: Apache-2.0
// A server that answers every request of HTTP with the same bytes, as an etcd that somebody has taken over would.
#pragma once
#include <arpa/inet.h>
#include <sys/socket.h>
#include <unistd.h>
#include <atomic>
#include <string>
#include <thread>

namespace callis::services::testing {

class LyingEtcd final {
 public:
  // Each answer has `head`, so often `part`, and `tail`; parts are not kept in memory.
  LyingEtcd(std::string head, std::string part, std::size_t times, std::string tail)
      : head_(std::move(head)), part_(std::move(part)), tail_(std::move(tail)), times_(times) {
    listener_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    ::bind(listener_, reinterpret_cast<sockaddr*>(&address), size);
    ::listen(listener_, 8);
    ::getsockname(listener_, reinterpret_cast<sockaddr*>(&address), &size);
    where_ = "etcd:127.0.0.1:" + std::to_string(ntohs(address.sin_port));
    thread_ = std::thread([this] { serve(); });
  }
  ~LyingEtcd() {
    stop_ = true;
    ::shutdown(listener_, SHUT_RDWR);
    thread_.join();
    ::close(listener_);
  }
  LyingEtcd(const LyingEtcd&) = delete;
  LyingEtcd& operator=(const LyingEtcd&) = delete;

  const std::string& where() const { return where_; }

 private:
  static bool send_all(int to, const std::string& text) {
    return ::send(to, text.data(), text.size(), MSG_NOSIGNAL) == static_cast<ssize_t>(text.size());
  }
  // One request a connection; a body that comes later is not waited for.
  void serve() {
    while (!stop_) {
      const int client = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
      if (client < 0) continue;
      char request[65536];
      if (::recv(client, request, sizeof request, 0) > 0) {
        const std::size_t length = head_.size() + part_.size() * times_ + tail_.size();
        bool good = send_all(client, "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: " +
                                         std::to_string(length) + "\r\n\r\n" + head_);
        for (std::size_t n = 0; good && n < times_; ++n) good = send_all(client, part_);
        if (good) send_all(client, tail_);
        ::shutdown(client, SHUT_WR);
        while (::recv(client, request, sizeof request, 0) > 0) {}
      }
      ::close(client);
    }
  }

  const std::string head_, part_, tail_;
  const std::size_t times_;
  int listener_ = -1;
  std::string where_;
  std::atomic<bool> stop_{false};
  std::thread thread_;
};

}  // namespace callis::services::testing
