// SPDX-License-Identifier: Apache-2.0
// Characters of strings: copied and looked through in one pass. Nothing is read or written outside the string.
#pragma once
#include <callis/base/bytes.h>
#include <cstring>

namespace callis::marshal {

inline constexpr std::size_t kLongCharacters = 64;  // from here on the C library is faster

template <class U>
inline U load_word(const Byte* from) {
  U v;
  __builtin_memcpy(&v, from, sizeof v);
  return v;
}
template <class U>
inline void store_word(Byte* to, U v) {
  __builtin_memcpy(to, &v, sizeof v);
}
template <class U>
inline bool has_zero(U v) {
  constexpr U ones = static_cast<U>(0x0101010101010101u);
  return ((v - ones) & ~v & (ones << 7)) != 0;
}

// 1 to 16 bytes as two words that may overlap. True when none is zero.
template <bool kCopy, class U>
inline bool two_words(Byte* to, const Byte* from, std::size_t n) {
  const U first = load_word<U>(from), last = load_word<U>(from + n - sizeof(U));
  if constexpr (kCopy) {
    store_word(to, first);
    store_word(to + n - sizeof(U), last);
  }
  return !has_zero(first) && !has_zero(last);
}

// 16 bytes or more.
bool copy_without_zeros(Byte* to, const Byte* from, std::size_t n) noexcept;
bool without_zeros(const Byte* from, std::size_t n) noexcept;

// Copies n bytes when kCopy. True when none of them is zero.
template <bool kCopy>
inline bool no_zeros(Byte* to, const Byte* from, std::size_t n) {
  if (n >= 16) [[likely]] return kCopy ? copy_without_zeros(to, from, n) : without_zeros(from, n);
  if (n >= 8) return two_words<kCopy, std::uint64_t>(to, from, n);
  if (n >= 4) return two_words<kCopy, std::uint32_t>(to, from, n);
  bool none = true;
  for (std::size_t i = 0; i < n; ++i) {
    if constexpr (kCopy) to[i] = from[i];
    none = none && from[i] != 0;
  }
  return none;
}

inline void copy_16(Byte* to, const Byte* from) {
  struct Block { Byte bytes[16]; };
  store_word(to, load_word<Block>(from));
}
// n < 16
inline void copy_few(Byte* to, const Byte* from, std::size_t n) {
  if (n >= 8) {
    (void)two_words<true, std::uint64_t>(to, from, n);
  } else if (n >= 4) {
    (void)two_words<true, std::uint32_t>(to, from, n);
  } else {
    for (std::size_t i = 0; i < n; ++i) to[i] = from[i];
  }
}
// Copies n bytes without calling anything.
inline void copy_inline(Byte* to, const Byte* from, std::size_t n) {
  if (n < 16) return copy_few(to, from, n);
  copy_16(to + n - 16, from + n - 16);
  for (std::size_t i = 0; i + 16 < n; i += 16) copy_16(to + i, from + i);
}
inline void copy_characters(Byte* to, const Byte* from, std::size_t n) {
  if (n < kLongCharacters) copy_inline(to, from, n);
  else std::memcpy(to, from, n);
}

}  // namespace callis::marshal
