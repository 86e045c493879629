// SPDX-License-Identifier: Apache-2.0
// TCP sockets of the micro profile: addresses in figures (names with the feature micro_names), never blocking.
#pragma once
#include <callis/base/buffer.h>
#include <callis/base/clock.h>
#include <callis/base/feature.h>
#include <callis/base/limits.h>
#include <callis/giop/message.h>
#include <callis/ior/iiop_profile.h>
#include <sys/socket.h>

CALLIS_FEATURE(micro_fragments);
CALLIS_FEATURE(micro_names);

namespace callis::micro {

// Owns a descriptor; -1 for none.
class Descriptor final {
 public:
  Descriptor() = default;
  explicit Descriptor(int fd) : fd_(fd) {}
  Descriptor(Descriptor&& o) noexcept : fd_(o.release()) {}
  Descriptor& operator=(Descriptor&& o) noexcept;
  ~Descriptor() { reset(); }

  int get() const { return fd_; }
  bool valid() const { return fd_ >= 0; }
  void reset() noexcept;
  int release() noexcept {
    const int fd = fd_;
    fd_ = -1;
    return fd;
  }

 private:
  int fd_ = -1;
};

struct SocketAddress {
  sockaddr_storage storage{};
  socklen_t bytes = 0;

  // An address in figures; a name with the feature micro_names. Returns false if it is neither. An empty host is the
  // address of all interfaces.
  bool set(const ior::Address& address);
  // host in figures, and port.
  ior::Address text() const;
  // 127.0.0.0/8, ::1, and IPv4's inside IPv6.
  bool is_loopback() const;
};

// The first address of a name. Feature micro_names; blocks while the resolver works.
CALLIS_OPTIONAL bool resolve(const ior::Address& address, SocketAddress& to);

// Connects. Serves requests while it waits. Faults: ResolveFailed, ConnectRefused, ConnectTimeout; errno in os_error.
Descriptor connect_to(const SocketAddress& to, TimePoint until, Error& why);
// Listens, and sets bound to the address with the port that the system has given. Not valid: errno has the reason.
Descriptor listen_at(const SocketAddress& at, SocketAddress& bound);
// Takes a connection; not valid if there is none.
Descriptor accept_from(int listener, SocketAddress& from);
// The address by which this machine reaches other machines, for references: a server that listens on all interfaces
// has no better one. The loopback address if there is no network.
ior::Address own_address(const SocketAddress& bound);

// Sends as much as the kernel takes at once. Returns the bytes; -1 if the connection has ended.
ssize_t send_some(int fd, ByteView bytes);

// The bytes that come over a connection, up to the end of one message. Memory grows with the bytes received, never
// with what a header promises.
class Inbox final {
 public:
  enum class State { Wanting, Whole, Ended, Bad };

  // Looks at what is there, and reads more if that is no whole message. Bad: fault() says why.
  State receive(int fd, const Limits& limits);
  // Whether there are bytes behind the message.
  bool has_more() const { return bytes_.size() > from_ + whole_; }

  // After Whole, until next(): the header as if the message had come in one piece. A message in fragments is Whole
  // with the feature micro_fragments alone; elsewhere its header has more_fragments. (That of a Bad message has its
  // version.)
  const giop::MessageHeader& header() const { return header_; }
  ByteView body() const { return bytes_.view(from_).first(whole_).subspan(giop::kHeaderBytes); }
  Fault fault() const { return fault_; }
  // Lets go of the message. Large memory goes back.
  void next();

 private:
  State look(const Limits& limits);
  // Feature micro_fragments: the fragments that have come are put behind the message's first part, in its place.
  CALLIS_OPTIONAL State join(const Limits& limits);

  static constexpr std::size_t kUsualBytes = 1024;

  Buffer bytes_{Buffer::kForPeer};
  std::size_t from_ = 0;   // where the message begins
  std::size_t whole_ = 0;  // the bytes of the message that is there
  std::size_t joined_ = 0;  // the bytes of its first fragments
  std::size_t wanted_ = 0;  // the bytes that it will have at least
  giop::MessageHeader header_;
  Fault fault_ = Fault::None;
};

}  // namespace callis::micro
