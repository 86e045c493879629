// SPDX-License-Identifier: Apache-2.0
#include <callis/ior/internal/body.h>
#include <callis/ior/listen_points.h>

namespace callis::ior {

Result<std::vector<Address>> parse_listen_points(ByteView context_data, const Limits& limits) {
  constexpr std::size_t kLeastBytes = 8;  // an empty host, and the port
  cdr::Budget budget = cdr::Budget::of(limits, context_data.size());
  cdr::Decoder d = cdr::Decoder::of_encapsulation(context_data, budget);
  const std::uint32_t n = d.count(kLeastBytes, sizeof(Address));
  if (n > limits.max_profiles) d.set_fault(Fault::LimitExceeded);
  std::vector<Address> points;
  for (std::uint32_t i = 0; i < n && d.ok(); ++i) {
    Address a;
    if (get_address(d, a) && !a.host.empty() && a.port != 0) points.push_back(std::move(a));
  }
  if (!d.ok()) return bad(d.fault(), "listen points");
  return points;
}

Bytes listen_points_context(std::span<const Address> points, ByteOrder order) {
  Body body(order);
  body.encoder().put_ulong(static_cast<std::uint32_t>(points.size()));
  for (const Address& a : points) put_address(body.encoder(), a);
  return body.finish(0).data;
}

}  // namespace callis::ior
