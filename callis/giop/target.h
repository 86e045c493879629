// SPDX-License-Identifier: Apache-2.0
// The target of a request: an object key alone before GIOP 1.2, the union TargetAddress since
// (CORBA 3.3 part 2, 9.4.2.2).
#pragma once
#include <callis/giop/message.h>
#include <callis/ior/reference.h>

namespace callis::giop {

enum class AddressingDisposition : std::int16_t { Key = 0, Profile = 1, Reference = 2 };

// A target that came. Views into the message.
struct ReceivedTarget {
  AddressingDisposition how = AddressingDisposition::Key;
  // The key: given alone, or found in the (selected) profile. has_key is false when that profile's tag is
  // not one we know; its data is still at hand.
  bool has_key = false;
  ByteView object_key;
  std::uint32_t profile_tag = 0;  // Profile, Reference
  ByteView profile_data;
  std::string_view type_id;            // Reference
  std::uint32_t selected_profile = 0;  // Reference
};

// A target to send. It refers to what the caller keeps.
struct Target {
  AddressingDisposition how = AddressingDisposition::Key;
  ByteView object_key;                           // Key, and every disposition before 1.2
  const ior::TaggedProfile* profile = nullptr;   // Profile
  const ior::Ior* reference = nullptr;           // Reference
  std::uint32_t selected_profile = 0;            // Reference: index into its profiles

  static Target key(ByteView k) { return {.object_key = k}; }
  static Target of_profile(const ior::TaggedProfile& p) {
    return {.how = AddressingDisposition::Profile, .object_key = {}, .profile = &p};
  }
  static Target of_reference(const ior::Ior& r, std::uint32_t selected) {
    return {.how = AddressingDisposition::Reference, .object_key = {}, .profile = nullptr, .reference = &r,
            .selected_profile = selected};
  }
};

// Reads an object key (before 1.2) or a TargetAddress. False with a fault in the decoder: BadEnum for an
// unknown disposition, BadReference for a selected profile that is not there or cannot be read.
// spill: see service_context.h.
[[nodiscard]] bool decode(cdr::Decoder& d, Version v, ReceivedTarget& out, Buffer& spill, const Limits& limits);
void encode(cdr::Encoder& e, Version v, const Target& t);

}  // namespace callis::giop
