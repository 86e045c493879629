// SPDX-License-Identifier: Apache-2.0
// Runs the moves of a run: all that the engine does for fixed-size members.
#pragma once
#include <callis/marshal/internal/program.h>

namespace callis::marshal {

// Copies of more bytes are left to the C library, that is, to put_rare() and get_rare().
inline constexpr std::uint32_t kMostInlineBytes = 256;

// From memory to the wire, in the order of the wire; get_: from the wire to memory. base and frame are as Op says.
//
// These call nothing, so that they cost no more than their loads and stores. On x86-64 they are SSSE3 code, only for
// can_shuffle().
void put_moves(const MoveList& list, Byte* wire, const Byte* base, const Byte* frame, const Shuffle* shuffles) noexcept;
void get_moves(const MoveList& list, const Byte* wire, Byte* base, Byte* frame, const Shuffle* shuffles) noexcept;
// These do everything, on any processor.
void put_rare(const MoveList& list, Byte* wire, const Byte* base, const Byte* frame, const Shuffle* shuffles) noexcept;
void get_rare(const MoveList& list, const Byte* wire, Byte* base, Byte* frame, const Shuffle* shuffles) noexcept;

inline void put(const Program& p, const MoveList& list, Byte* wire, const Byte* base, const Byte* frame) {
  if (list.rare) [[unlikely]] put_rare(list, wire, base, frame, p.shuffles.data());
  else put_moves(list, wire, base, frame, p.shuffles.data());
}
inline void get(const Program& p, const MoveList& list, const Byte* wire, Byte* base, Byte* frame) {
  if (list.rare) [[unlikely]] get_rare(list, wire, base, frame, p.shuffles.data());
  else get_moves(list, wire, base, frame, p.shuffles.data());
}

}  // namespace callis::marshal
