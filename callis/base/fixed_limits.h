// SPDX-License-Identifier: Apache-2.0
// FixedLimits: bounds on what a peer may send that need no setting. Beyond them a message is refused with MARSHAL or
// IMP_LIMIT (docs/guide/minor-codes.md). docs/guide/limits.md is made from this file, too: one line a limit.
#pragma once
#include <cstddef>
#include <cstdint>

namespace callis {

struct FixedLimits {
  // Values and TypeCodes (these cannot be set)
  static constexpr std::uint32_t max_value_depth = 1000;      // values within values; those of a list that each lead to the next, too
  static constexpr std::size_t max_value_ids = 64;            // repository ids that one value is sent with
  static constexpr std::size_t max_value_id_bytes = 1u << 10;  // one of these
  static constexpr std::uint32_t max_type_code_depth = 128;   // types within types of a TypeCode, those behind indirections included
  static constexpr std::uint32_t max_context_properties = 65'536;  // properties of the CORBA::Context that a call brings
};

}  // namespace callis
