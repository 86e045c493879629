// SPDX-License-Identifier: Apache-2.0
// Ports of this machine where connecting fails in a known way, for tests.
#pragma once
#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>
#include <cstdint>

namespace callis::transport::testing {

// Connecting is refused: the port is bound by this process, and nobody listens.
class DeadPort {
 public:
  DeadPort() : fd_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    address_.sin_family = AF_INET;
    address_.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    ::bind(fd_, reinterpret_cast<sockaddr*>(&address_), sizeof address_);
    socklen_t n = sizeof address_;
    ::getsockname(fd_, reinterpret_cast<sockaddr*>(&address_), &n);
  }
  ~DeadPort() { ::close(fd_); }
  DeadPort(const DeadPort&) = delete;
  DeadPort& operator=(const DeadPort&) = delete;
  std::uint16_t port() const { return ntohs(address_.sin_port); }

 protected:
  const int fd_;
  sockaddr_in address_{};
};

// Connecting is not answered at all: a listening socket whose queue is full, on Linux.
class SilentPort final : public DeadPort {
 public:
  SilentPort() {
    ::listen(fd_, 0);
    for (int& fd : waiting_) {
      fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
      (void)::connect(fd, reinterpret_cast<sockaddr*>(&address_), sizeof address_);
    }
  }
  ~SilentPort() {
    for (int fd : waiting_) ::close(fd);
  }

 private:
  int waiting_[4];
};

}  // namespace callis::transport::testing
