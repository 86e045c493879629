// SPDX-License-Identifier: Apache-2.0
// Pieces that transports over sockets share, and those of TCP alone. Private to the transports tcp and unix.
#pragma once
#include <callis/base/feature.h>
#include <callis/transport/stream.h>
#include <callis/transport/tcp/inherited.h>
#include <callis/transport/tcp/tcp.h>
#include <atomic>
#include <netdb.h>
#include <sys/socket.h>
#include <utility>

namespace callis::transport::tcp {

// Owns a file descriptor; -1 for none.
class Descriptor final {
 public:
  Descriptor() = default;
  // What the system has given; under another number where it is one of the program's own (above_standard()).
  explicit Descriptor(int fd) noexcept;
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

// Numeric addresses are never looked up. flags: AI_PASSIVE or 0. The lookup of a name cannot be interrupted: with a
// deadline a thread does it, which may go on after the deadline has passed (ConnectTimeout); at most kMostLookups do.
Result<AddressList> resolve(const std::string& host, std::uint16_t port, int flags, Deadline deadline);
inline constexpr unsigned kMostLookups = 32;
// getaddrinfo(); another function in tests.
using LookUp = int (*)(const char* node, const char* service, const addrinfo* hints, addrinfo** list);
extern constinit std::atomic<LookUp> look_up;

struct NumericAddress {
  std::string host;  // IPv4 addresses inside IPv6 are written as IPv4
  std::uint16_t port = 0;
};
NumericAddress numeric(const sockaddr* address, socklen_t length);

// Take a connected, blocking socket. peer, identity: see Stream.
std::unique_ptr<Stream> make_stream(Descriptor fd, NumericAddress peer);
std::unique_ptr<Stream> make_stream(Descriptor fd, std::string peer, Peer identity);

// A client on this machine, by its process and its user: "unix: process 4711 of user 1000", and "user 1000".
CALLIS_OPTIONAL std::unique_ptr<Stream> make_local_stream(Descriptor fd);

// Takes a bound socket that listens and does not block. bound: of TCP.
Result<std::unique_ptr<TcpListener>> make_listener(Descriptor fd, NumericAddress bound);
inline constexpr int kBacklog = 1024;

// Collects why each address failed.
class Failures {
 public:
  void add(const std::string& address, int os_error, TimePoint since);
  Error error() const;

 private:
  std::string detail_;
  int last_ = 0;
  bool timed_out_ = false, refused_ = false;
};

}  // namespace callis::transport::tcp
