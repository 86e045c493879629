// SPDX-License-Identifier: Apache-2.0
// Ior: an interoperable object reference as plain values (CORBA 3.3 part 2, 7.6.2).
//
// Profiles and components are kept as the bytes they came in, so a reference that passes through is sent
// on bit for bit, whatever its tags. What a profile means is read from its bytes when somebody asks
// (iiop_profile.h, memory_profile.h).
#pragma once
#include <callis/base/limits.h>
#include <callis/base/result.h>
#include <callis/cdr/cdr.h>
#include <cstdint>
#include <string>
#include <vector>

namespace callis::ior {

using Bytes = std::vector<Byte>;

struct TaggedProfile {
  std::uint32_t tag = 0;
  Bytes data;
  // Equal means: the same tag and the same bytes. Profiles that differ may still name one object.
  friend bool operator==(const TaggedProfile&, const TaggedProfile&) = default;
};

// The same on the wire and in memory, so that they share their code.
using TaggedComponent = TaggedProfile;

void add(std::vector<TaggedProfile>& list, TaggedProfile&& one);

struct Ior {
  std::string type_id;  // repository id of the most derived interface, or empty for unknown
  std::vector<TaggedProfile> profiles;

  bool is_nil() const { return profiles.empty(); }
  friend bool operator==(const Ior&, const Ior&) = default;
};

// Reads an IOR at the decoder's place. False, with the fault in the decoder and out untouched, when it is
// malformed or beyond limits (max_profiles, max_context_bytes for each profile).
[[nodiscard]] bool decode(cdr::Decoder& from, Ior& out, const Limits& limits);
void encode(cdr::Encoder& to, const Ior& ior);

// A sequence of components (MultipleComponentProfile, IIOP 1.1 profiles); as decode() above.
[[nodiscard]] bool decode(cdr::Decoder& from, std::vector<TaggedComponent>& out, const Limits& limits);
void encode(cdr::Encoder& to, const std::vector<TaggedComponent>& components);

// The object key inside the bytes of an IIOP, UIOP or memory profile, as a view of them; no allocation.
// Fault::Unsupported for other tags, another fault when the body is malformed; key untouched then.
[[nodiscard]] Fault find_object_key(std::uint32_t profile_tag, ByteView profile_data, ByteView& key);

}  // namespace callis::ior
