// SPDX-License-Identifier: Apache-2.0
// Networks as lists of options name them; only programs have it that read such lists.
#include <callis/base/text.h>
#include <callis/transport/tcp/reach.h>
#include <arpa/inet.h>
#include <cstring>
#include <netinet/in.h>

namespace callis::transport {
namespace {

constexpr unsigned kBits = 128, kBitsOfV4 = 32;

// As IPv6, IPv4 inside it.
bool parse_address(const std::string& text, in6_addr& a, bool& is_v4) {
  in_addr v4;
  is_v4 = ::inet_pton(AF_INET, text.c_str(), &v4) == 1;
  if (!is_v4) return ::inet_pton(AF_INET6, text.c_str(), &a) == 1;
  a = {};
  a.s6_addr[10] = a.s6_addr[11] = 0xff;
  std::memcpy(a.s6_addr + 12, &v4, 4);
  return true;
}

// bits: how many at the beginning count, of the address as IPv6.
bool parse_network(std::string_view text, in6_addr& a, unsigned& bits) {
  const std::size_t slash = text.find('/');
  bool is_v4 = false;
  if (!parse_address(std::string(text.substr(0, slash)), a, is_v4)) return false;
  bits = kBits;
  if (slash == text.npos) return true;
  std::uint64_t n = 0;
  if (!parse_decimal(text.substr(slash + 1), is_v4 ? kBitsOfV4 : kBits, n)) return false;
  bits = static_cast<unsigned>(n) + (is_v4 ? kBits - kBitsOfV4 : 0);
  return true;
}

}  // namespace

bool is_network(std::string_view text) {
  in6_addr a;
  unsigned bits = 0;
  return parse_network(text, a, bits);
}

bool in_network(const std::string& host, std::string_view network) {
  in6_addr a, of;
  unsigned bits = 0;
  bool is_v4 = false;
  if (!parse_network(network, of, bits) || !parse_address(host, a, is_v4)) return false;
  for (unsigned i = 0; i < bits; ++i)
    if (((a.s6_addr[i / 8] ^ of.s6_addr[i / 8]) >> (7 - i % 8) & 1) != 0) return false;
  return true;
}

}  // namespace callis::transport
