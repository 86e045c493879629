// SPDX-License-Identifier: Apache-2.0
// Runs the moves of a run: all that the engine does for fixed-size members.
#pragma once
#include <callis/marshal/internal/program.h>

// Steps of a walk that are worth a copy at each place, unless size is what counts.
#ifdef __OPTIMIZE_SIZE__
#define CALLIS_HOT [[gnu::noinline]]
#else
#define CALLIS_HOT [[gnu::always_inline]]
#endif

namespace callis::marshal {

// Copies of more bytes are left to the C library, that is, to put_rare() and get_rare().
inline constexpr std::uint32_t kMostInlineBytes = 256;

// put_ moves from memory to the wire, in the order of the wire; get_ moves from the wire to memory. memory is the
// frame if the run reaches through its pointers, else the base. There is at least one move.
//
// These call nothing, so that they cost no more than their loads and stores. On x86-64 they are SSSE3 code, only for
// can_shuffle(). With m == nullptr they tell what Move::step is to be, by kind.
const void* const* put_steps(const Move* m, const Move* end, Byte* wire, const Byte* memory) noexcept;
const void* const* get_steps(const Move* m, const Move* end, const Byte* wire, Byte* memory) noexcept;
// These do everything, on any processor. At -Os they are the only ones.
bool put_rare(const Move* m, const Move* end, Byte* wire, const Byte* memory) noexcept;
bool get_rare(const Move* m, const Move* end, const Byte* wire, Byte* memory) noexcept;

#ifdef __OPTIMIZE_SIZE__
inline constexpr bool kHasSteps = false;
#else
inline constexpr bool kHasSteps = true;
#endif

// For lists that are not rare. Always true, so that callers can end with them.
inline bool put_moves(const MoveList& list, Byte* wire, const Byte* memory) {
  if constexpr (kHasSteps) put_steps(list.moves, list.end, wire, memory);
  else put_rare(list.moves, list.end, wire, memory);
  return true;
}
inline bool get_moves(const MoveList& list, const Byte* wire, Byte* memory) {
  if constexpr (kHasSteps) get_steps(list.moves, list.end, wire, memory);
  else get_rare(list.moves, list.end, wire, memory);
  return true;
}
// Runs all moves.
inline bool put(const MoveList& list, Byte* wire, const Byte* memory) {
  if (kHasSteps && list.rare) [[unlikely]] return put_rare(list.moves, list.end, wire, memory);
  return put_moves(list, wire, memory);
}
inline bool get(const MoveList& list, const Byte* wire, Byte* memory) {
  if (kHasSteps && list.rare) [[unlikely]] return get_rare(list.moves, list.end, wire, memory);
  return get_moves(list, wire, memory);
}

}  // namespace callis::marshal
