// SPDX-License-Identifier: Apache-2.0
// FixedLimits: bounds on what a peer may send that need no setting. Beyond them a message is refused with MARSHAL or
// IMP_LIMIT (docs/guide/minor-codes.md). docs/guide/limits.md is made from this file, too: one line a limit.
#pragma once
#include <cstddef>
#include <cstdint>

namespace callis {

struct FixedLimits {
  // Values and TypeCodes (these cannot be set)
  static constexpr std::uint32_t max_value_depth = 1000;      // values within values; those of a list that each lead to the next, too (those in sequences, unions, anys and custom values of values count in max_depth, too)
  static constexpr std::uint32_t max_sent_value_nesting = 64;  // values in sequences, unions, anys and custom values of values, when they are sent
  static constexpr std::size_t max_value_ids = 64;            // repository ids that one value is sent with
  static constexpr std::size_t max_value_id_bytes = 1u << 10;  // one of these
  static constexpr std::uint32_t max_type_code_depth = 128;   // types within types of a TypeCode, those behind indirections included
  static constexpr std::size_t type_code_step_bytes = 8;      // of a message's decode_budget, for each step of reading a TypeCode and making a plan of it: 5 ms of a processor for 64 KiB at most
  static constexpr std::uint32_t max_context_properties = 65'536;  // properties of the CORBA::Context that a call brings
};

}  // namespace callis
