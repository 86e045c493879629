// SPDX-License-Identifier: Apache-2.0
#include <callis/base/bytes.h>
#include <callis/transport/tcp/reach.h>
#include <arpa/inet.h>
#include <cstring>
#include <netinet/in.h>

namespace callis::transport {

Reach reach_of(const std::string& host) {
  in_addr v4;
  in6_addr v6;
  if (::inet_pton(AF_INET6, host.c_str(), &v6) == 1) {
    const std::uint8_t* const a = v6.s6_addr;
    if (a[0] == 0xfe && (a[1] & 0xc0) == 0x80) return Reach::Link;
    static constexpr std::uint8_t kNone[12] = {};
    if (std::memcmp(a, kNone, 12) == 0) return Reach::Machine;
    if (!IN6_IS_ADDR_V4MAPPED(&v6)) return Reach::Anywhere;
    std::memcpy(&v4, a + 12, 4);
  } else if (::inet_pton(AF_INET, host.c_str(), &v4) != 1) {
    return Reach::Anywhere;
  }
  const std::uint32_t n = ntohl(v4.s_addr);
  if ((n >> 24 == 127 && n != 0x7f000101) || n >> 24 == 0) return Reach::Machine;
  return n >> 16 == 0xa9fe ? Reach::Link : Reach::Anywhere;
}

}  // namespace callis::transport
