// SPDX-License-Identifier: Apache-2.0
// The elements of ttcp's buffers: element i holds i, cut to its type, so that the receiver can tell the first and the
// last one of a buffer from any other.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>
#include "../../common/bin_struct.h"

namespace bench {

template <class T>
T element(std::size_t i) {
  return static_cast<T>(i);
}

// The members that every peer's struct has under these names; pad is its own matter.
template <class Struct>
void fill(Struct& b, std::size_t i) {
  b.s = static_cast<decltype(b.s)>(i);
  b.c = 'c';
  b.l = static_cast<decltype(b.l)>(i);
  b.o = 7;
  b.d = static_cast<double>(i);
}
template <class Struct>
bool filled(const Struct& b, std::size_t i) {
  return b.s == static_cast<decltype(b.s)>(i) && b.c == 'c' && b.l == static_cast<decltype(b.l)>(i) && b.o == 7 &&
         b.d == static_cast<double>(i);
}

template <class Octet>
void fill_pad(Octet* pad) {
  for (unsigned k = 0; k < 8; ++k) pad[k] = static_cast<Octet>(k + 1);
}
template <class Octet>
bool pad_filled(const Octet* pad) {
  for (unsigned k = 0; k < 8; ++k)
    if (pad[k] != static_cast<Octet>(k + 1)) return false;
  return true;
}
inline constexpr std::uint64_t kPad = 0x0807060504030201;  // where pad is one number

template <>
inline BinStruct element<BinStruct>(std::size_t i) {
  BinStruct b{};
  fill(b, i);
  fill_pad(b.pad);
  return b;
}
template <class T>
bool is_element(const T& value, std::size_t i) {
  return value == element<T>(i);
}
inline bool is_element(const BinStruct& b, std::size_t i) { return filled(b, i) && pad_filled(b.pad); }

// corrupt: the last one is wrong (it is element n).
template <class T>
std::vector<T> elements(std::size_t n, bool corrupt) {
  std::vector<T> all(n);
  for (std::size_t i = 0; i < n; ++i) all[i] = element<T>(i);
  if (corrupt) all[n - 1] = element<T>(n);
  return all;
}

template <class T>
bool intact(const T* all, std::size_t n) {
  return n != 0 && is_element(all[0], 0) && is_element(all[n - 1], n - 1);
}

}  // namespace bench
