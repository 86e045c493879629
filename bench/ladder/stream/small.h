// SPDX-License-Identifier: Apache-2.0
// The bodies of the stream's small functions; see cdr.h for how they come to be called or inlined.
#pragma once
#include <callis/base/endian.h>
#include <cstring>
#include "cdr.h"

namespace ladder {

#ifdef LADDER_OUTLINED
#define LADDER_RARE(condition) __builtin_expect(static_cast<bool>(condition), 0)
#else
#define LADDER_RARE(condition) (condition)
#endif

// Swapping is part of the function in the original. Where that is inlined it is a helper's work, so that what is
// inlined stays short.
#ifdef LADDER_CALLED
template<class T>
[[gnu::always_inline]] inline T swapped(T v) {
  return callis::byte_swap(v);
}
#else
std::uint16_t swapped(std::uint16_t v);
std::uint32_t swapped(std::uint32_t v);
std::uint64_t swapped(std::uint64_t v);
#endif

LADDER_SMALL std::uintptr_t ptr_align_binary(const void* p, std::size_t alignment) {
  return (reinterpret_cast<std::uintptr_t>(p) + alignment - 1) & ~(alignment - 1);
}

[[gnu::always_inline]] inline bool CDR::make_room(std::size_t n) {
  return !LADDER_RARE(static_cast<std::size_t>(end_ - next_) < n) || grow(n);
}

template<class T>
[[gnu::always_inline]] inline bool CDR::put(T v) {
  const std::uintptr_t aligned = ptr_align_binary(next_, sizeof v);
  const std::size_t padding = aligned - reinterpret_cast<std::uintptr_t>(next_);
  if (LADDER_RARE(!make_room(padding + sizeof v))) return false;
  for (std::size_t i = 0; i < padding; ++i) *next_++ = 0;
  std::memcpy(next_, &v, sizeof v);
  next_ += sizeof v;
  return true;
}
LADDER_SMALL bool CDR::put_byte(std::uint8_t v) {
  if (LADDER_RARE(!make_room(1))) return false;
  *next_++ = v;
  return true;
}
LADDER_SMALL bool CDR::put_short(std::uint16_t v) { return put(v); }
LADDER_SMALL bool CDR::put_long(std::uint32_t v) { return put(v); }
LADDER_SMALL bool CDR::put_longlong(std::uint64_t v) { return put(v); }

template<class T>
[[gnu::always_inline]] inline bool CDR::get(T& v) {
  const std::uintptr_t aligned = ptr_align_binary(next_, sizeof v);
  const std::uintptr_t end = reinterpret_cast<std::uintptr_t>(end_);
  if (LADDER_RARE(aligned > end || end - aligned < sizeof v)) return false;
  const Byte* const from = reinterpret_cast<const Byte*>(aligned);
  std::memcpy(&v, from, sizeof v);
  if (LADDER_RARE(swap_)) v = swapped(v);
  next_ = const_cast<Byte*>(from) + sizeof v;
  return true;
}
LADDER_SMALL bool CDR::get_byte(std::uint8_t& v) {
  if (LADDER_RARE(next_ == end_)) return false;
  v = *next_++;
  return true;
}
LADDER_SMALL bool CDR::get_short(std::uint16_t& v) { return get(v); }
LADDER_SMALL bool CDR::get_long(std::uint32_t& v) { return get(v); }
LADDER_SMALL bool CDR::get_longlong(std::uint64_t& v) { return get(v); }

LADDER_SMALL bool CDR::skip_bytes(std::size_t n) {
  if (LADDER_RARE(n > remaining())) return false;
  next_ += n;
  return true;
}
LADDER_SMALL bool CDR::skip_string() {
  std::uint32_t length;
  return get_long(length) && skip_bytes(length);
}

}  // namespace ladder
