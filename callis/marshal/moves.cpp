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

[[gnu::always_inline]] CALLIS_TARGET inline void move_vectors([[maybe_unused]] const Move& m, [[maybe_unused]] Byte* to,
                                                              [[maybe_unused]] const Byte* from) {
#if CALLIS_SHUFFLE
  const Shuffle* s = m.shuffles;
  const Shuffle* const end = s + m.count;
  Vector v{};
  do {
    const Vector part = pick(load_vector(from + s->from), load_vector(s->mask));
    v = s->adds ? both(v, part) : part;
    store_vector(to + s->to, v);
  } while (++s != end);
#endif
}

// The two ways of a move.
struct Putting {
  Byte* wire;
  const Byte* memory;
  Byte* to(const Move& m) const { return wire + m.wire; }
  const Byte* from(const Move& m) const { return memory + m.native; }
  Putting behind(const Move& m) const { return {wire, read<const Byte*>(memory, m.slot)}; }
};
struct Getting {
  const Byte* wire;
  Byte* memory;
  Byte* to(const Move& m) const { return memory + m.native; }
  const Byte* from(const Move& m) const { return wire + m.wire; }
  Getting behind(const Move& m) const { return {wire, read<Byte*>(memory, m.slot)}; }
};

template <class Way>
[[gnu::always_inline]] CALLIS_TARGET inline void move_fast(const Move& m, const Way w) {
  constexpr std::uint8_t kIndirect = Move::kIndirect;
  switch (m.kind) {
    case Move::Copy1: return move_word(Move::Copy1, w.to(m), w.from(m));
    case Move::Copy2: return move_word(Move::Copy2, w.to(m), w.from(m));
    case Move::Copy4: return move_word(Move::Copy4, w.to(m), w.from(m));
    case Move::Copy8: return move_word(Move::Copy8, w.to(m), w.from(m));
    case Move::Swap2: return move_word(Move::Swap2, w.to(m), w.from(m));
    case Move::Swap4: return move_word(Move::Swap4, w.to(m), w.from(m));
    case Move::Swap8: return move_word(Move::Swap8, w.to(m), w.from(m));
    case Move::Zero: return move_word(Move::Zero, w.to(m), w.from(m));
    case Move::Copy: return copy_inline(w.to(m), w.from(m), m.bytes);
    case Move::Shuffles: return move_vectors(m, w.to(m), w.from(m));
    case Move::Copy1 | kIndirect: return move_word(Move::Copy1, w.behind(m).to(m), w.behind(m).from(m));
    case Move::Copy2 | kIndirect: return move_word(Move::Copy2, w.behind(m).to(m), w.behind(m).from(m));
    case Move::Copy4 | kIndirect: return move_word(Move::Copy4, w.behind(m).to(m), w.behind(m).from(m));
    case Move::Copy8 | kIndirect: return move_word(Move::Copy8, w.behind(m).to(m), w.behind(m).from(m));
    case Move::Swap2 | kIndirect: return move_word(Move::Swap2, w.behind(m).to(m), w.behind(m).from(m));
    case Move::Swap4 | kIndirect: return move_word(Move::Swap4, w.behind(m).to(m), w.behind(m).from(m));
    case Move::Swap8 | kIndirect: return move_word(Move::Swap8, w.behind(m).to(m), w.behind(m).from(m));
    case Move::Copy | kIndirect: return copy_inline(w.behind(m).to(m), w.behind(m).from(m), m.bytes);
    case Move::Shuffles | kIndirect: return move_vectors(m, w.behind(m).to(m), w.behind(m).from(m));
    default: __builtin_unreachable();  // Swap makes a list rare, and Zero is not behind anything
  }
}

template <class Way>
void move_rare(const Move& m, Way w) {
  if (m.kind & Move::kIndirect) w = w.behind(m);
  switch (m.kind & (Move::kIndirect - 1)) {
    case Move::Copy: __builtin_memcpy(w.to(m), w.from(m), m.bytes); break;
    case Move::Swap: copy_swapped(w.to(m), w.from(m), m.bytes >> m.log2_size, std::size_t{1} << m.log2_size); break;
    case Move::Shuffles: shuffle(w.to(m), 0, w.from(m), 0, 1, m.shuffles, m.count); break;
    default: move_word(static_cast<Move::Kind>(m.kind & (Move::kIndirect - 1)), w.to(m), w.from(m));
  }
}

}  // namespace

CALLIS_TARGET bool put_moves(const Move* m, const Move* end, Byte* wire, const Byte* memory) noexcept {
  do move_fast(*m, Putting{wire, memory});
  while (++m != end);
  return true;
}
CALLIS_TARGET bool get_moves(const Move* m, const Move* end, const Byte* wire, Byte* memory) noexcept {
  do move_fast(*m, Getting{wire, memory});
  while (++m != end);
  return true;
}

bool put_rare(const Move* m, const Move* end, Byte* wire, const Byte* memory) noexcept {
  do move_rare(*m, Putting{wire, memory});
  while (++m != end);
  return true;
}
bool get_rare(const Move* m, const Move* end, const Byte* wire, Byte* memory) noexcept {
  do move_rare(*m, Getting{wire, memory});
  while (++m != end);
  return true;
}

}  // namespace callis::marshal
