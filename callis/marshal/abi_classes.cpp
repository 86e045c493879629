// SPDX-License-Identifier: Apache-2.0
// The ABI classes that callis-idl prints tables for. tables.h says which machines are of which class, and has the
// compiler check it.
#include <callis/marshal/internal/layout.h>
#include <callis/marshal/made_plans.h>

namespace callis::marshal {

namespace {

// pointer: bytes of a pointer. long_double: bytes of a long double, its alignment, too.
constexpr Abi natural(std::uint8_t pointer, std::uint8_t long_double, bool vectors) {
  const auto p = [pointer](std::uint8_t minimum) { return Abi::Leaf{pointer, pointer, minimum, true}; };
  const auto n = static_cast<std::uint8_t>(2 * pointer);
  const auto sequence = static_cast<std::uint8_t>(8 + n);
  return {{{0, 1, 1, false},        {1, 1, 1, false},         {1, 1, 1, false},
           {1, 1, 1, false},        {2, 2, 2, false},         {2, 2, 2, false},
           {4, 4, 4, false},        {4, 4, 4, false},         {8, 8, 8, false},
           {8, 8, 8, false},        {4, 4, 4, false},         {8, 8, 8, false},
           {long_double, long_double, 16, false},             {4, 4, 4, false},
           {4, 4, 2, false},        p(5),                     p(4),
           {24, 8, 1, false},       {n, pointer, 4, true},    p(4),
           p(9),                    p(5),                     p(4),
           {},                      {},                       {},
           {sequence, pointer, 4, true}},
          {pointer, pointer},
          vectors};
}

}  // namespace

constinit const Abi kAbi64 = natural(8, 16, true);
constinit const Abi kAbi32 = natural(4, 8, false);

}  // namespace callis::marshal
