// SPDX-License-Identifier: Apache-2.0
// TCP over IPv4 and IPv6.
#pragma once
#include <callis/transport/stream.h>
#include <cstdint>

namespace callis::transport {

// Resolves host (a DNS name, an IPv4 or an IPv6 address without brackets) and tries its addresses one
// after the other until one accepts; none gets more than its share of the time left. Nagle's delay is off.
//
// On failure the error's detail names every address tried with its reason and the time it took:
//   "192.0.2.1:2809 timed out after 2500 ms; [2001:db8::1]:2809 refused (errno 111) after 0 ms"
// Fault: ResolveFailed, ConnectTimeout (one of them timed out), ConnectRefused, or TransportFailed.
// A name that has not been looked up by the deadline is ConnectTimeout. Its look-up, which cannot be interrupted,
// goes on in a thread that nobody waits for (socket.h).
Result<std::unique_ptr<Stream>> connect_tcp(const std::string& host, std::uint16_t port, Deadline deadline);

// A listening TCP socket.
class TcpListener : public Listener {
 public:
  // The address bound: numeric, never empty ("0.0.0.0" or "::" for all interfaces), and the real port.
  virtual const std::string& host() const = 0;
  virtual std::uint16_t port() const = 0;
  // Bound to all interfaces: host() is of no use to a client.
  virtual bool wildcard() const = 0;
};

// host: empty for all interfaces (IPv6 and IPv4 where the system has both), else a name or address of this
// machine. port 0: any free one. SO_REUSEADDR is set.
Result<std::unique_ptr<TcpListener>> listen_tcp(const std::string& host, std::uint16_t port);

// The address under which other machines most likely reach this one: the source address of the default
// route, else that of the first interface that is up, else "127.0.0.1".
std::string primary_address();

// "10.1.2.3:80", "[::1]:80"
std::string address_text(const std::string& host, std::uint16_t port);

}  // namespace callis::transport
