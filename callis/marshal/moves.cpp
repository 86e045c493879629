// SPDX-License-Identifier: Apache-2.0
#include <callis/base/swap_array.h>
#include <callis/marshal/internal/characters.h>
#include <callis/marshal/internal/moves.h>
#include <callis/marshal/internal/vector.h>

namespace callis::marshal {

namespace {

inline void copy_inline(Byte* to, const Byte* from, std::size_t n) {
  if (n < 16) return copy_few(to, from, n);
  copy_16(to + n - 16, from + n - 16);
  for (std::size_t i = 0; i + 16 < n; i += 16) copy_16(to + i, from + i);
}

// A move whose kind says how many bytes.
[[gnu::always_inline]] inline void move_word(Move::Kind kind, Byte* to, const Byte* from) {
  switch (kind) {
    case Move::Copy1: *to = *from; break;
    case Move::Copy2: store_word(to, load_word<std::uint16_t>(from)); break;
    case Move::Copy4: store_word(to, load_word<std::uint32_t>(from)); break;
    case Move::Copy8: store_word(to, load_word<std::uint64_t>(from)); break;
    case Move::Swap2: store(to, load<std::uint16_t>(from, true)); break;
    case Move::Swap4: store(to, load<std::uint32_t>(from, true)); break;
    case Move::Swap8: store(to, load<std::uint64_t>(from, true)); break;
    case Move::Zero: store_word<std::uint64_t>(to, 0); break;
    default: break;
  }
}

[[gnu::always_inline]] CALLIS_TARGET inline void move_fast(const Move& m, Byte* to, const Byte* from,
                                                           [[maybe_unused]] const Shuffle* shuffles) {
  switch (m.kind) {
    case Move::Copy1: move_word(Move::Copy1, to, from); break;
    case Move::Copy2: move_word(Move::Copy2, to, from); break;
    case Move::Copy4: move_word(Move::Copy4, to, from); break;
    case Move::Copy8: move_word(Move::Copy8, to, from); break;
    case Move::Swap2: move_word(Move::Swap2, to, from); break;
    case Move::Swap4: move_word(Move::Swap4, to, from); break;
    case Move::Swap8: move_word(Move::Swap8, to, from); break;
    case Move::Zero: move_word(Move::Zero, to, from); break;
    case Move::Copy: copy_inline(to, from, m.bytes); break;
    case Move::Shuffles: {
#if CALLIS_SHUFFLE
      const Shuffle* s = shuffles + m.bytes;
      const Shuffle* const end = s + m.count;
      Vector v{};
      do {
        const Vector part = pick(load_vector(from + s->from), load_vector(s->mask));
        v = s->adds ? both(v, part) : part;
        store_vector(to + s->to, v);
      } while (++s != end);
#endif
      break;
    }
    default: __builtin_unreachable();  // Swap makes a list rare
  }
}

void move_rare(const Move& m, Byte* to, const Byte* from, const Shuffle* shuffles) {
  switch (m.kind) {
    case Move::Copy: __builtin_memcpy(to, from, m.bytes); break;
    case Move::Swap: copy_swapped(to, from, m.bytes >> m.log2_size, std::size_t{1} << m.log2_size); break;
    case Move::Shuffles: shuffle(to, 0, from, 0, 1, shuffles + m.bytes, m.count); break;
    default: move_word(m.kind, to, from);
  }
}

}  // namespace

CALLIS_TARGET void put_moves(const MoveList& list, Byte* wire, const Byte* base, const Byte* frame,
                             const Shuffle* shuffles) noexcept {
  for (const Move *m = list.moves, *const end = m + list.count; m != end; ++m)
    move_fast(*m, wire + m->wire, (m->slot == kNoSlot ? base : read<const Byte*>(frame, m->slot)) + m->native, shuffles);
}

CALLIS_TARGET void get_moves(const MoveList& list, const Byte* wire, Byte* base, Byte* frame,
                             const Shuffle* shuffles) noexcept {
  for (const Move *m = list.moves, *const end = m + list.count; m != end; ++m)
    move_fast(*m, (m->slot == kNoSlot ? base : read<Byte*>(frame, m->slot)) + m->native, wire + m->wire, shuffles);
}

void put_rare(const MoveList& list, Byte* wire, const Byte* base, const Byte* frame, const Shuffle* shuffles) noexcept {
  for (const Move *m = list.moves, *const end = m + list.count; m != end; ++m)
    move_rare(*m, wire + m->wire, (m->slot == kNoSlot ? base : read<const Byte*>(frame, m->slot)) + m->native, shuffles);
}

void get_rare(const MoveList& list, const Byte* wire, Byte* base, Byte* frame, const Shuffle* shuffles) noexcept {
  for (const Move *m = list.moves, *const end = m + list.count; m != end; ++m)
    move_rare(*m, (m->slot == kNoSlot ? base : read<Byte*>(frame, m->slot)) + m->native, wire + m->wire, shuffles);
}

}  // namespace callis::marshal
