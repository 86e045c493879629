// SPDX-License-Identifier: Apache-2.0
// The body of a kMemoryProfile: an object behind an endpoint of the memory transport in this process.
#pragma once
#include <callis/ior/reference.h>
#include <callis/ior/tags.h>

namespace callis::ior {

struct MemoryProfile {
  std::string endpoint;
  Bytes object_key;
  friend bool operator==(const MemoryProfile&, const MemoryProfile&) = default;
};

Result<MemoryProfile> parse_memory(ByteView profile_data, const Limits& limits = {});
TaggedProfile to_profile(const MemoryProfile& p, ByteOrder order = kNativeOrder);
TaggedProfile memory_profile(std::string_view endpoint, ByteView object_key, ByteOrder order = kNativeOrder);

}  // namespace callis::ior
