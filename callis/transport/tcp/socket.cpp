// SPDX-License-Identifier: Apache-2.0
// Descriptors, numeric addresses, and the address that this machine is known by.
#include <callis/base/descriptors.h>
#include <callis/base/text.h>
#include <callis/transport/tcp/socket.h>
#include <callis/transport/tcp/tcp.h>
#include <arpa/inet.h>
#include <cerrno>
#include <cstring>
#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>
#include <unistd.h>

namespace callis::transport {

namespace tcp {

Descriptor::Descriptor(int fd) noexcept : fd_(above_standard(fd)) {
  if (CALLIS_HAS(forks) && fd_ >= 0) note_open(fd_);
}

Descriptor& Descriptor::operator=(Descriptor&& o) noexcept {
  if (this != &o) {
    reset();
    fd_ = std::exchange(o.fd_, -1);
  }
  return *this;
}

void Descriptor::reset() noexcept {
  if (fd_ < 0) return;
  if (CALLIS_HAS(forks)) note_closed(fd_);
  ::close(std::exchange(fd_, -1));
}

NumericAddress numeric(const sockaddr* address, socklen_t length) {
  NumericAddress out;
  char text[INET6_ADDRSTRLEN] = "";
  if (address->sa_family == AF_INET && length >= sizeof(sockaddr_in)) {
    sockaddr_in a;
    std::memcpy(&a, address, sizeof a);
    ::inet_ntop(AF_INET, &a.sin_addr, text, sizeof text);
    out.port = ntohs(a.sin_port);
  } else if (address->sa_family == AF_INET6 && length >= sizeof(sockaddr_in6)) {
    sockaddr_in6 a;
    std::memcpy(&a, address, sizeof a);
    if (IN6_IS_ADDR_V4MAPPED(&a.sin6_addr))
      ::inet_ntop(AF_INET, &a.sin6_addr.s6_addr[12], text, sizeof text);
    else
      ::inet_ntop(AF_INET6, &a.sin6_addr, text, sizeof text);
    out.port = ntohs(a.sin6_port);
  }
  out.host = text;
  return out;
}

namespace {

// The address a datagram to `to` would be sent from; nothing is sent.
std::string source_address(int family, const char* to) {
  Descriptor fd(::socket(family, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  if (!fd.valid()) return {};
  auto list = resolve(to, 9, 0, Deadline());
  if (!list || ::connect(fd.get(), list->first->ai_addr, list->first->ai_addrlen) != 0) return {};
  sockaddr_storage own{};
  socklen_t length = sizeof own;
  if (::getsockname(fd.get(), reinterpret_cast<sockaddr*>(&own), &length) != 0) return {};
  return numeric(reinterpret_cast<sockaddr*>(&own), length).host;
}

std::string first_interface(int family, socklen_t length) {
  ifaddrs* all = nullptr;
  if (::getifaddrs(&all) != 0) return {};
  std::string found;
  for (ifaddrs* i = all; i && found.empty(); i = i->ifa_next) {
    if (!i->ifa_addr || i->ifa_addr->sa_family != family) continue;
    if (!(i->ifa_flags & IFF_UP) || (i->ifa_flags & IFF_LOOPBACK)) continue;
    std::string host = numeric(i->ifa_addr, length).host;
    if (host.compare(0, 5, "fe80:") != 0) found = std::move(host);  // link-local needs a scope
  }
  ::freeifaddrs(all);
  return found;
}

}  // namespace

}  // namespace tcp

std::string primary_address() {
  // Documentation addresses (RFC 5737, RFC 3849): routed like any far host, belonging to nobody.
  std::string host = tcp::source_address(AF_INET, "192.0.2.1");
  if (host.empty()) host = tcp::first_interface(AF_INET, sizeof(sockaddr_in));
  if (host.empty()) host = tcp::source_address(AF_INET6, "2001:db8::1");
  if (host.empty()) host = tcp::first_interface(AF_INET6, sizeof(sockaddr_in6));
  return host.empty() ? "127.0.0.1" : host;
}

std::string address_text(const std::string& host, std::uint16_t port) {
  const bool v6 = host.find(':') != std::string::npos;
  return concat({v6 ? "[" : "", host, v6 ? "]:" : ":", Decimal(port)});
}

}  // namespace callis::transport
