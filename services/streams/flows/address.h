// SPDX-License-Identifier: Apache-2.0
// Addresses of flows: a carrier with host and port as in flow specs, and as sockets take them.
//
//   UDP=127.0.0.1:5004   TCP=[::1]:7000   RTP/UDP=10.0.0.1:5004;5005   RTP/UDP=239.1.1.1:5004@10.0.0.1
//
// The second port is RTCP's. What is behind @ is an extension of callis: the host that sends to a group.
// Hosts are numeric: an address comes from a peer, and looking its name up would wait for others. A&V Streams 1.0,
// 2.2.4 (flow specs).
#pragma once
#include <sys/socket.h>
#include <cstdint>
#include <string>
#include <string_view>

namespace callis::streams {

enum class Carrier : std::uint8_t { Udp, Tcp, RtpUdp };
const char* to_text(Carrier carrier);

class SocketAddress final {
 public:
  SocketAddress() = default;
  // Throws FlowFailed where `host` is no numeric IPv4 or IPv6 address.
  SocketAddress(const std::string& host, std::uint16_t port);
  SocketAddress(const sockaddr_storage& from, socklen_t size) : storage_(from), size_(size) {}

  const sockaddr* get() const { return reinterpret_cast<const sockaddr*>(&storage_); }
  socklen_t size() const { return size_; }
  int family() const { return storage_.ss_family; }
  bool empty() const { return size_ == 0; }
  std::string host() const;
  std::uint16_t port() const;
  void set_port(std::uint16_t port);
  bool multicast() const;
  bool wildcard() const;
  bool same_host(const SocketAddress& other) const;
  bool operator==(const SocketAddress& other) const { return same_host(other) && port() == other.port(); }
  // "127.0.0.1:5004", "[::1]:5004".
  std::string text() const;

 private:
  sockaddr_storage storage_{};
  socklen_t size_ = 0;
};

// What a flow spec says of an address. Host empty: the carrier alone.
struct FlowAddress {
  Carrier carrier = Carrier::Udp;
  std::string host;
  std::uint16_t port = 0;
  std::uint16_t control_port = 0;  // of RTCP; 0: port + 1
  std::string sender;              // of a group: the host whose datagrams count; empty: anybody's

  bool operator==(const FlowAddress&) const = default;
  bool empty() const { return host.empty(); }
  SocketAddress data() const { return SocketAddress(host, port); }
  SocketAddress control() const;
  std::string text() const;
};

// Throws FlowFailed: a carrier that is unknown, a host that is not numeric, a port that is none, something behind it.
FlowAddress parse_address(std::string_view text);
// The carrier of "UDP", "TCP" or "RTP/UDP", in any case. False: none of them.
bool parse_carrier(std::string_view text, Carrier& carrier);

}  // namespace callis::streams
