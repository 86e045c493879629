// SPDX-License-Identifier: Apache-2.0
// What the functions of a bitset (IDL 4.2, 7.4.13.4.3.2) are made of. A field stands at so many bits from the least
// significant one of the integer that holds the bitset.
#pragma once
#include <cstdint>
#include <type_traits>

namespace callis::classic {

template <unsigned Bits>
inline constexpr std::uint64_t kFieldMask = ~std::uint64_t{0} >> (64 - Bits);

// A field of a signed type has its sign in its first bit.
template <class T, unsigned At, unsigned Bits, class Holder>
constexpr T bit_field(Holder holder) {
  const std::uint64_t bits = std::uint64_t{holder} >> At & kFieldMask<Bits>;
  if constexpr (std::is_same_v<T, bool>) {
    return bits != 0;
  } else if constexpr (std::is_signed_v<T>) {
    return static_cast<T>(static_cast<std::int64_t>(bits << (64 - Bits)) >> (64 - Bits));
  } else {
    return static_cast<T>(bits);
  }
}

// What does not fit is cut off, as in a bit-field of C++.
template <unsigned At, unsigned Bits, class Holder, class T>
constexpr void set_bit_field(Holder& holder, T value) {
  constexpr std::uint64_t mask = kFieldMask<Bits> << At;
  holder = static_cast<Holder>((std::uint64_t{holder} & ~mask) | (static_cast<std::uint64_t>(value) << At & mask));
}

}  // namespace callis::classic
