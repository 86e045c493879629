// SPDX-License-Identifier: Apache-2.0
// The papers' BinStruct as C lays it out; bench/idl/ttcp_throughput.idl has it in IDL.
#pragma once
#include <cstdint>

namespace bench {

// 32 bytes in memory, and on the wire when it starts at a multiple of 8.
struct BinStruct {
  std::int16_t s;
  char c;
  std::int32_t l;
  std::uint8_t o;
  double d;
  std::uint8_t pad[8];
};
static_assert(sizeof(BinStruct) == 32);

}  // namespace bench
