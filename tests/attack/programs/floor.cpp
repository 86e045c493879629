// SPDX-License-Identifier: Apache-2.0
#include "floor.h"
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>
#include <cstdio>
#include <cstdlib>
#include <thread>

namespace attack {
namespace {

constexpr std::size_t kBytes = 100;

bool transfer(int socket, char* bytes, ssize_t (*move)(int, char*, std::size_t)) {
  for (std::size_t done = 0; done < kBytes;) {
    const ssize_t n = move(socket, bytes + done, kBytes - done);
    if (n <= 0) return false;
    done += static_cast<std::size_t>(n);
  }
  return true;
}
bool receive(int socket, char* bytes) {
  return transfer(socket, bytes, [](int s, char* b, std::size_t n) { return ::recv(s, b, n, 0); });
}
bool send(int socket, char* bytes) {
  return transfer(socket, bytes, [](int s, char* b, std::size_t n) { return ::send(s, b, n, MSG_NOSIGNAL); });
}

void no_delay(int socket) {
  const int on = 1;
  ::setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
}

void pong(int socket) {
  no_delay(socket);
  char bytes[kBytes];
  while (receive(socket, bytes) && send(socket, bytes)) {
  }
  ::close(socket);
}

sockaddr_in loopback(std::uint16_t port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(port);
  return address;
}

}  // namespace

std::uint16_t start_pong() {
  const int listener = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address = loopback(0);
  socklen_t size = sizeof address;
  if (::bind(listener, reinterpret_cast<sockaddr*>(&address), size) != 0 || ::listen(listener, 8) != 0 ||
      ::getsockname(listener, reinterpret_cast<sockaddr*>(&address), &size) != 0)
    return 0;
  std::thread([listener] {
    for (int socket; (socket = ::accept(listener, nullptr, nullptr)) >= 0;) std::thread(pong, socket).detach();
  }).detach();
  return ntohs(address.sin_port);
}

Ping::Ping(std::uint16_t port) : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
  const sockaddr_in address = loopback(port);
  if (::connect(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
    std::perror("floor");
    std::exit(1);
  }
  no_delay(socket_);
}

Ping::~Ping() { ::close(socket_); }

void Ping::once() {
  char bytes[kBytes] = {};
  if (!send(socket_, bytes) || !receive(socket_, bytes)) {
    std::perror("floor");
    std::exit(1);
  }
}

}  // namespace attack
