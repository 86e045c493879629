// SPDX-License-Identifier: Apache-2.0
// FixedLimits: bounds on what a peer may send that need no setting. Beyond them a message is refused with MARSHAL or
// IMP_LIMIT (docs/guide/minor-codes.md). docs/guide/limits.md is made from this file, too: the comment of a limit is
// its description.
#pragma once
#include <cstddef>
#include <cstdint>

namespace callis {

struct FixedLimits {
  // Values and TypeCodes (these cannot be set)
  static constexpr std::uint32_t max_value_depth = 1000;      // values within values; each value of a list is within
                                                              // the one before. Values in sequences, unions, anys and
                                                              // custom values also count in max_depth
  static constexpr std::uint32_t max_sent_value_nesting = 64;  // values in sequences, unions, anys and custom values
                                                               // of other values, when they are sent
  static constexpr std::size_t max_value_ids = 64;            // repository ids that one value is sent with
  static constexpr std::size_t max_value_id_bytes = 1u << 10;  // bytes of one such id
  static constexpr std::uint32_t max_type_code_depth = 128;   // types within types of a TypeCode; a type behind an
                                                              // indirection counts, too
  static constexpr std::size_t type_code_step_bytes = 8;      // each step of reading a TypeCode and of making a plan
                                                              // of it takes this much of the message's decode_budget.
                                                              // 64 KiB take 5 ms of a processor at most
  static constexpr std::uint32_t max_context_properties = 65'536;  // properties of the CORBA::Context that a call
                                                                   // brings
};

}  // namespace callis
