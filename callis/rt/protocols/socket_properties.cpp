// SPDX-License-Identifier: Apache-2.0
#include <callis/ior/tags.h>
#include <callis/rt/protocols/socket_properties.h>
#include <cerrno>
#include <cstring>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

namespace callis::rt {
namespace {

// Returns whether a connected socket sends IPv4 packets; a socket of IPv6 may do so, too. The socket's own address is
// known also after the peer has gone.
bool sends_ipv4(int fd) {
  sockaddr_storage own{};
  socklen_t size = sizeof own;
  if (::getsockname(fd, reinterpret_cast<sockaddr*>(&own), &size) != 0) return false;
  if (own.ss_family != AF_INET6) return own.ss_family == AF_INET;
  sockaddr_in6 six{};
  std::memcpy(&six, &own, sizeof six);
  return IN6_IS_ADDR_V4MAPPED(&six.sin6_addr);
}

}  // namespace

RefusedProperty set_socket_properties(int fd, const ProtocolTerms& terms, std::optional<CodePoint> code_point) {
  RefusedProperty refused;
  const auto set = [&](const char* name, int level, int option, int value) {
    if (refused.name || ::setsockopt(fd, level, option, &value, sizeof value) == 0) return;
    refused = {name, errno};
  };
  if (terms.send_buffer > 0) set("send_buffer_size", SOL_SOCKET, SO_SNDBUF, terms.send_buffer);
  if (terms.receive_buffer > 0) set("recv_buffer_size", SOL_SOCKET, SO_RCVBUF, terms.receive_buffer);
  if (terms.profile != ior::kInternetProfile) return refused;
  set("keep_alive", SOL_SOCKET, SO_KEEPALIVE, terms.keep_alive);
  if (terms.dont_route) set("dont_route", SOL_SOCKET, SO_DONTROUTE, 1);
  set("no_delay", IPPROTO_TCP, TCP_NODELAY, terms.no_delay);
  if (!code_point) return refused;
  const int octet = *code_point << 2;  // the lower two bits are those of congestion (RFC 3168)
  if (sends_ipv4(fd)) set("enable_network_priority", IPPROTO_IP, IP_TOS, octet);
  else set("enable_network_priority", IPPROTO_IPV6, IPV6_TCLASS, octet);
  return refused;
}

}  // namespace callis::rt
