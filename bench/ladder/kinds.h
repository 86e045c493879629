// SPDX-License-Identifier: Apache-2.0
// The kinds of TypeCodes that the rungs know, with their numbers on the wire (CORBA 3.3 part 2, 9.3.5).
#pragma once
#include <cstddef>
#include <cstdint>

namespace ladder {

enum TCKind : std::uint32_t {
  tk_null,
  tk_void,
  tk_short,
  tk_long,
  tk_ushort,
  tk_ulong,
  tk_float,
  tk_double,
  tk_boolean,
  tk_char,
  tk_octet,
  tk_TypeCode = 12,
  tk_struct = 15,
  tk_string = 18,
  tk_sequence = 19,
  tk_array = 20,
  tk_longlong = 23,
  tk_ulonglong = 24,
};

// Size and alignment of a primitive; 0 for everything else.
constexpr std::size_t primitive_size(TCKind kind) {
  constexpr unsigned char sizes[25] = {0, 0, 2, 4, 2, 4, 4, 8, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 8, 8};
  return kind < sizeof sizes ? sizes[kind] : 0;
}
constexpr bool is_primitive(TCKind kind) { return primitive_size(kind) != 0; }

}  // namespace ladder
