// SPDX-License-Identifier: Apache-2.0
#include <callis/ior/internal/body.h>
#include <callis/ior/memory_profile.h>

namespace callis::ior {

Result<MemoryProfile> parse_memory(ByteView profile_data, const Limits& limits) {
  cdr::Budget budget = cdr::Budget::of(limits, profile_data.size());
  cdr::Decoder d = cdr::Decoder::of_encapsulation(profile_data, budget);
  MemoryProfile p;
  if (!get_string(d, p.endpoint)) return bad(d.fault(), "memory profile: endpoint");
  if (!get_octets(d, p.object_key, limits.max_context_bytes)) return bad(d.fault(), "memory profile: object key");
  return p;
}

TaggedProfile to_profile(const MemoryProfile& p, ByteOrder order) {
  return {kMemoryProfile, make_body(order, [&](cdr::Encoder& e) {
            e.put_string(p.endpoint);
            e.put_octets(p.object_key);
          })};
}

}  // namespace callis::ior
