// SPDX-License-Identifier: Apache-2.0
#include <callis/transport/peer.h>
#include <callis/transport/tcp/reach.h>
#include <arpa/inet.h>
#include <netinet/in.h>
#include <atomic>
#include <utility>

namespace callis::transport {

Peer Peer::at(std::string address) {
  Peer p;
  p.kind = Kind::Address;
  p.reach = reach_of(address);
  static const std::string own = primary_address();
  p.here = p.reach <= Reach::Machine || address == own;
  p.host = std::move(address);
  p.stream = next_stream();
  return p;
}

std::uint64_t Peer::next_stream() {
  static std::atomic<std::uint64_t> last{0};
  return last.fetch_add(1, std::memory_order_relaxed) + 1;
}

std::string counted_with(const Peer& peer) {
  in6_addr a;
  if (peer.kind != Peer::Kind::Address || ::inet_pton(AF_INET6, peer.host.c_str(), &a) != 1) return peer.host;
  return {reinterpret_cast<const char*>(a.s6_addr), 8};
}

}  // namespace callis::transport
