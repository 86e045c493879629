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
// frame if the run reaches through its pointers, else the base. m is the first move of a list.
//
// These call nothing, so that they cost no more than their loads and stores. They are not for lists that are rare.
void put_steps(const Move* m, Byte* wire, const Byte* memory) noexcept;
void get_steps(const Move* m, const Byte* wire, Byte* memory) noexcept;
// These do everything. At -Os they are the only ones.
[[gnu::noinline]] void put_rare(const Move* m, Byte* wire, const Byte* memory) noexcept;
[[gnu::noinline]] void get_rare(const Move* m, const Byte* wire, Byte* memory) noexcept;

// The shuffles of a move, where no instruction does them.
void move_by_bytes(const Move& m, Byte* to, const Byte* from) noexcept;

#ifdef __OPTIMIZE_SIZE__
inline constexpr bool kHasSteps = false;
#else
inline constexpr bool kHasSteps = true;
#endif

// For lists that are not rare. Always true, so that callers can end with them.
inline bool put_moves(const MoveList& list, Byte* wire, const Byte* memory) {
  if constexpr (kHasSteps) put_steps(list.moves(), wire, memory);
  else put_rare(list.moves(), wire, memory);
  return true;
}
inline bool get_moves(const MoveList& list, const Byte* wire, Byte* memory) {
  if constexpr (kHasSteps) get_steps(list.moves(), wire, memory);
  else get_rare(list.moves(), wire, memory);
  return true;
}
// Runs all moves of a list that has been made.
inline bool put(const MoveList& list, Byte* wire, const Byte* memory) {
  if (kHasSteps && list.rare()) [[unlikely]] return put_rare(list.moves(), wire, memory), true;
  return put_moves(list, wire, memory);
}
inline bool get(const MoveList& list, const Byte* wire, Byte* memory) {
  if (kHasSteps && list.rare()) [[unlikely]] return get_rare(list.moves(), wire, memory), true;
  return get_moves(list, wire, memory);
}
// Whether the list is there, and not slower than going item by item: shuffles are, where no instruction does them.
inline bool serves(const MoveList& list) { return list.made() && (kHasVectors || !list.vectors()); }

}  // namespace callis::marshal
