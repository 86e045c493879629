// SPDX-License-Identifier: Apache-2.0
// Shuffles: moves of runs 16 bytes at a time. One instruction (pshufb, tbl) picks any bytes of a 16-byte
// window, puts them in any order and zeros the rest, so that moving, swapping and padding are one step.
//
// A program is a list of Shuffles; those with the same destination follow each other and are ORed.
// Stores go up to 15 bytes past the last destination byte (encoding: the buffer has slop for that), loads
// never leave the window that the builder was given.
//
// SSSE3 on x86-64, NEON on AArch64; elsewhere, and in sanitizer builds, nothing does them at once. Tables may have
// shuffles all the same: runs then go item by item.
#pragma once
#include <callis/base/bytes.h>
#include <callis/base/feature.h>
#include <callis/marshal/internal/array.h>

#if (defined(__x86_64__) || defined(__aarch64__)) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define CALLIS_SHUFFLE 1
#else
#define CALLIS_SHUFFLE 0
#endif

CALLIS_FEATURE(shuffles);

namespace callis::marshal {

inline constexpr bool kHasVectors = CALLIS_SHUFFLE;

struct Shuffle {
  Byte mask[16];  // for each byte of the destination: index in the window, or 0x80 for zero
  std::uint16_t to;
  std::uint16_t source;  // from, kAdds

  static constexpr std::uint16_t kAdds = 0x8000;
  std::uint32_t from() const { return source & 0x7fffu; }
  bool adds() const { return (source & kAdds) != 0; }  // to the one before it, which has the same destination
};
static_assert(sizeof(Shuffle) == 20);

struct ShuffleProgram {
  std::uint32_t first = 0, count = 0;  // of what was appended; count 0: use the moves
};

// Destination byte k comes from source byte source[k]; kZero for zero.
inline constexpr std::uint32_t kZero = 0xffffffff;
// With more than this for one element scalar moves are no slower. Each makes at most 16 bytes.
inline constexpr std::uint32_t kMaxShuffles = 64;
// exact: never store past the destination (decoding), so it must have at least 16 bytes; the source always
// must. Appends to shuffles; an empty program when it cannot be done or does not pay.
CALLIS_OPTIONAL ShuffleProgram make_shuffles(const Array<std::uint32_t>& source, std::uint32_t source_bytes,
                                             bool exact, Array<Shuffle>& shuffles);

// Whether an instruction of this processor does them.
bool can_shuffle() noexcept;
// count times the program, each time further by the strides. Only when can_shuffle().
CALLIS_OPTIONAL void shuffle(Byte* to, std::size_t to_stride, const Byte* from, std::size_t from_stride,
                             std::size_t count, const Shuffle* program, std::uint32_t length) noexcept;

}  // namespace callis::marshal
