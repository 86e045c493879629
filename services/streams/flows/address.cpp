// SPDX-License-Identifier: Apache-2.0
// Reading and writing addresses of flows.
#include <arpa/inet.h>
#include <netinet/in.h>
#include <services/streams/flows/address.h>
#include <services/streams/flows/flow_failed.h>
#include <strings.h>
#include <charconv>
#include <cstring>

namespace callis::streams {
namespace {

const sockaddr_in& v4(const sockaddr_storage& s) { return reinterpret_cast<const sockaddr_in&>(s); }
const sockaddr_in6& v6(const sockaddr_storage& s) { return reinterpret_cast<const sockaddr_in6&>(s); }

std::uint16_t parse_port(std::string_view text, std::string_view whole) {
  unsigned value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value == 0 || value > 65535) {
    throw FlowFailed("the address " + std::string(whole) + " has no port from 1 to 65535 where one should be");
  }
  return static_cast<std::uint16_t>(value);
}

}  // namespace

void fail_with_errno(const std::string& tried, int error) {
  throw FlowFailed(tried + ": " + std::strerror(error) + " (errno " + std::to_string(error) + ")");
}

const char* to_text(Carrier carrier) {
  static constexpr const char* kNames[] = {"UDP", "TCP", "RTP/UDP"};
  return kNames[static_cast<int>(carrier)];
}

bool parse_carrier(std::string_view text, Carrier& carrier) {
  for (const Carrier each : {Carrier::Udp, Carrier::Tcp, Carrier::RtpUdp}) {
    const std::string_view name = to_text(each);
    if (name.size() == text.size() && strncasecmp(name.data(), text.data(), name.size()) == 0) {
      carrier = each;
      return true;
    }
  }
  return false;
}

SocketAddress::SocketAddress(const std::string& host, std::uint16_t port) {
  auto& four = reinterpret_cast<sockaddr_in&>(storage_);
  auto& six = reinterpret_cast<sockaddr_in6&>(storage_);
  if (host.find('\0') == std::string::npos && inet_pton(AF_INET, host.c_str(), &four.sin_addr) == 1) {
    four.sin_family = AF_INET;
    size_ = sizeof four;
  } else if (host.find('\0') == std::string::npos && inet_pton(AF_INET6, host.c_str(), &six.sin6_addr) == 1) {
    six.sin6_family = AF_INET6;
    size_ = sizeof six;
  } else {
    throw FlowFailed("the host " + host.substr(0, 64) + " of a flow is no numeric IPv4 or IPv6 address; give one");
  }
  set_port(port);
}

std::string SocketAddress::host() const {
  char text[INET6_ADDRSTRLEN] = "";
  if (family() == AF_INET) inet_ntop(AF_INET, &v4(storage_).sin_addr, text, sizeof text);
  if (family() == AF_INET6) inet_ntop(AF_INET6, &v6(storage_).sin6_addr, text, sizeof text);
  return text;
}

std::uint16_t SocketAddress::port() const {
  return ntohs(family() == AF_INET6 ? v6(storage_).sin6_port : v4(storage_).sin_port);
}

void SocketAddress::set_port(std::uint16_t port) {
  if (family() == AF_INET6) {
    reinterpret_cast<sockaddr_in6&>(storage_).sin6_port = htons(port);
  } else {
    reinterpret_cast<sockaddr_in&>(storage_).sin_port = htons(port);
  }
}

bool SocketAddress::multicast() const {
  if (family() == AF_INET6) return IN6_IS_ADDR_MULTICAST(&v6(storage_).sin6_addr);
  return family() == AF_INET && IN_MULTICAST(ntohl(v4(storage_).sin_addr.s_addr));
}

bool SocketAddress::wildcard() const {
  if (family() == AF_INET6) return IN6_IS_ADDR_UNSPECIFIED(&v6(storage_).sin6_addr);
  return family() == AF_INET && v4(storage_).sin_addr.s_addr == htonl(INADDR_ANY);
}

bool SocketAddress::same_host(const SocketAddress& other) const {
  if (family() != other.family()) return false;
  if (family() == AF_INET6) return IN6_ARE_ADDR_EQUAL(&v6(storage_).sin6_addr, &v6(other.storage_).sin6_addr);
  return v4(storage_).sin_addr.s_addr == v4(other.storage_).sin_addr.s_addr;
}

std::string SocketAddress::text() const {
  const std::string port_text = ":" + std::to_string(port());
  return family() == AF_INET6 ? "[" + host() + "]" + port_text : host() + port_text;
}

SocketAddress FlowAddress::control() const {
  return SocketAddress(host, control_port ? control_port : static_cast<std::uint16_t>(port + 1));
}

std::string FlowAddress::text() const {
  std::string out = to_text(carrier);
  if (empty()) return out;
  out += "=" + data().text();
  if (control_port) out += ";" + std::to_string(control_port);
  if (!sender.empty()) out += "@" + sender;
  return out;
}

FlowAddress parse_address(std::string_view text) {
  FlowAddress out;
  const std::size_t equals = text.find('=');
  if (!parse_carrier(text.substr(0, equals), out.carrier)) {
    throw FlowFailed("the carrier " + std::string(text.substr(0, equals)) +
                     " is unknown; there are UDP, TCP and RTP/UDP");
  }
  if (equals == std::string_view::npos) return out;
  std::string_view rest = text.substr(equals + 1);
  if (const std::size_t at = rest.find('@'); at != std::string_view::npos) {
    out.sender = SocketAddress(std::string(rest.substr(at + 1)), 1).host();
    rest = rest.substr(0, at);
  }
  if (const std::size_t semicolon = rest.find(';'); semicolon != std::string_view::npos) {
    if (out.carrier != Carrier::RtpUdp) {
      throw FlowFailed("the address " + std::string(text) + " has a second port; only RTP/UDP has one");
    }
    out.control_port = parse_port(rest.substr(semicolon + 1), text);
    rest = rest.substr(0, semicolon);
  }
  const std::size_t colon = rest.rfind(':');
  if (colon == std::string_view::npos) throw FlowFailed("the address " + std::string(text) + " has no port");
  out.port = parse_port(rest.substr(colon + 1), text);
  rest = rest.substr(0, colon);
  if (rest.size() > 1 && rest.front() == '[' && rest.back() == ']') {
    rest = rest.substr(1, rest.size() - 2);
  } else if (rest.find(':') != std::string_view::npos) {
    throw FlowFailed("the address " + std::string(text) + " needs [ ] around its IPv6 host");
  }
  if (out.carrier == Carrier::RtpUdp && out.port == 65535 && !out.control_port) {
    throw FlowFailed("the address " + std::string(text) + " leaves no port for RTCP behind it");
  }
  const SocketAddress whole(std::string(rest), out.port);
  if (!out.sender.empty() && !whole.multicast()) {
    throw FlowFailed("the address " + std::string(text) + " names a sender, and no group");
  }
  out.host = whole.host();  // as the system spells it
  return out;
}

}  // namespace callis::streams
