// SPDX-License-Identifier: Apache-2.0
// Byte order. GIOP's flag bit 0: 0 = big endian, 1 = little endian (CORBA 3.3 part 2, 9.4.1).
#pragma once
#include <bit>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace callis {

enum class ByteOrder : std::uint8_t { Big = 0, Little = 1 };

inline constexpr ByteOrder kNativeOrder =
    std::endian::native == std::endian::little ? ByteOrder::Little : ByteOrder::Big;

constexpr ByteOrder other(ByteOrder o) {
  return o == ByteOrder::Big ? ByteOrder::Little : ByteOrder::Big;
}

constexpr std::uint16_t byte_swap(std::uint16_t v) { return __builtin_bswap16(v); }
constexpr std::uint32_t byte_swap(std::uint32_t v) { return __builtin_bswap32(v); }
constexpr std::uint64_t byte_swap(std::uint64_t v) { return __builtin_bswap64(v); }

// The unsigned integer of the same size as T (1, 2, 4 or 8 bytes).
template <std::size_t N>
struct UnsignedOf;
template <>
struct UnsignedOf<1> { using Type = std::uint8_t; };
template <>
struct UnsignedOf<2> { using Type = std::uint16_t; };
template <>
struct UnsignedOf<4> { using Type = std::uint32_t; };
template <>
struct UnsignedOf<8> { using Type = std::uint64_t; };

// Loads and stores at any address; swap reverses the bytes.
template <class T>
inline T load(const void* from, bool swap = false) {
  using U = typename UnsignedOf<sizeof(T)>::Type;
  U u;
  std::memcpy(&u, from, sizeof u);
  if constexpr (sizeof(T) > 1) {
    if (swap) u = byte_swap(u);
  }
  return std::bit_cast<T>(u);
}
template <class T>
inline void store(void* to, T value, bool swap = false) {
  using U = typename UnsignedOf<sizeof(T)>::Type;
  U u = std::bit_cast<U>(value);
  if constexpr (sizeof(T) > 1) {
    if (swap) u = byte_swap(u);
  }
  std::memcpy(to, &u, sizeof u);
}

}  // namespace callis
