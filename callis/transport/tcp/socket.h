// SPDX-License-Identifier: Apache-2.0
// Pieces that connect_tcp() and listen_tcp() share. Private to the TCP transport.
#pragma once
#include <callis/transport/stream.h>
#include <netdb.h>
#include <sys/socket.h>
#include <utility>

namespace callis::transport::tcp {

// Owns a file descriptor; -1 for none.
class Descriptor final {
 public:
  Descriptor() = default;
  explicit Descriptor(int fd) : fd_(fd) {}
  Descriptor(Descriptor&& o) noexcept : fd_(std::exchange(o.fd_, -1)) {}
  Descriptor& operator=(Descriptor&& o) noexcept;
  ~Descriptor() { reset(); }

  int get() const { return fd_; }
  bool valid() const { return fd_ >= 0; }
  void reset() noexcept;

 private:
  int fd_ = -1;
};

struct AddressList {
  addrinfo* first = nullptr;
  AddressList() = default;
  AddressList(AddressList&& o) noexcept : first(std::exchange(o.first, nullptr)) {}
  ~AddressList() { if (first) ::freeaddrinfo(first); }
};

// Numeric addresses are never looked up. flags: AI_PASSIVE or 0.
Result<AddressList> resolve(const std::string& host, std::uint16_t port, int flags);

struct NumericAddress {
  std::string host;  // IPv4 addresses inside IPv6 are written as IPv4
  std::uint16_t port = 0;
};
NumericAddress numeric(const sockaddr* address, socklen_t length);

// Takes a connected, blocking socket.
std::unique_ptr<Stream> make_stream(Descriptor fd, NumericAddress peer);

}  // namespace callis::transport::tcp
