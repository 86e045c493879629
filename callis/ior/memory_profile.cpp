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
  return memory_profile(p.endpoint, p.object_key, order);
}

TaggedProfile memory_profile(std::string_view endpoint, ByteView object_key, ByteOrder order) {
  Body body(order);
  body.encoder().put_string(endpoint);
  body.encoder().put_octets(object_key);
  return body.finish(kMemoryProfile);
}

}  // namespace callis::ior
