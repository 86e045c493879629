// SPDX-License-Identifier: Apache-2.0
// Runs the moves of a run: all that the engine does for fixed-size members. Functions without calls, so that they
// cost no more than their loads and stores; which one a list needs is written in the list.
#pragma once
#include <callis/base/swap_array.h>
#include <callis/marshal/internal/characters.h>
#include <callis/marshal/internal/program.h>

namespace callis::marshal {

// Copies of more bytes are left to the C library.
inline constexpr std::uint32_t kMostInlineBytes = 256;

inline void copy_inline(Byte* to, const Byte* from, std::size_t n) {
  if (n < 16) return copy_few(to, from, n);
  copy_16(to + n - 16, from + n - 16);
  for (std::size_t i = 0; i + 16 < n; i += 16) copy_16(to + i, from + i);
}

// One move but Copy, Swap and Shuffles.
inline void small_move(Move::Kind kind, Byte* to, const Byte* from) {
  switch (kind) {
    case Move::Copy1: *to = *from; break;
    case Move::Copy2: __builtin_memcpy(to, from, 2); break;
    case Move::Copy4: __builtin_memcpy(to, from, 4); break;
    case Move::Copy8: __builtin_memcpy(to, from, 8); break;
    case Move::Swap2: store(to, load<std::uint16_t>(from, true)); break;
    case Move::Swap4: store(to, load<std::uint32_t>(from, true)); break;
    case Move::Swap8: store(to, load<std::uint64_t>(from, true)); break;
    default: break;
  }
}

// From memory to the wire, in the order of the wire. False when a pointer of the frame is null.
// From the wire to memory: the same with get_.
bool put_simple(const Move* m, std::uint32_t n, Byte* wire, const Byte* base, const Byte* frame) noexcept;
bool get_simple(const Move* m, std::uint32_t n, const Byte* wire, Byte* base, Byte* frame) noexcept;
bool put_shuffled(const Move* m, std::uint32_t n, Byte* wire, const Byte* base, const Byte* frame, const Shuffle* s) noexcept;
bool get_shuffled(const Move* m, std::uint32_t n, const Byte* wire, Byte* base, Byte* frame, const Shuffle* s) noexcept;
bool put_any(const Move* m, std::uint32_t n, Byte* wire, const Byte* base, const Byte* frame, const Shuffle* s) noexcept;
bool get_any(const Move* m, std::uint32_t n, const Byte* wire, Byte* base, Byte* frame, const Shuffle* s) noexcept;

inline bool put(const Program& p, const MoveList& list, Byte* wire, const Byte* base, const Byte* frame) {
  const Move* const m = p.moves.data() + list.first;
  if (list.needs == MoveList::Simple) [[likely]] return put_simple(m, list.count, wire, base, frame);
  if (list.needs == MoveList::Shuffling) return put_shuffled(m, list.count, wire, base, frame, p.shuffles.data());
  return put_any(m, list.count, wire, base, frame, p.shuffles.data());
}
inline bool get(const Program& p, const MoveList& list, const Byte* wire, Byte* base, Byte* frame) {
  const Move* const m = p.moves.data() + list.first;
  if (list.needs == MoveList::Simple) [[likely]] return get_simple(m, list.count, wire, base, frame);
  if (list.needs == MoveList::Shuffling) return get_shuffled(m, list.count, wire, base, frame, p.shuffles.data());
  return get_any(m, list.count, wire, base, frame, p.shuffles.data());
}

}  // namespace callis::marshal
