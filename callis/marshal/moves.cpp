// SPDX-License-Identifier: Apache-2.0
// Runs of scalars between memory and wire that are not one copy.
#include <callis/base/swap_array.h>
#include <callis/marshal/internal/characters.h>
#include <callis/marshal/internal/moves.h>
#include <callis/marshal/internal/vector.h>

namespace callis::marshal {

namespace {

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

#ifndef __OPTIMIZE_SIZE__

namespace {

[[gnu::always_inline]] CALLIS_TARGET inline void move_vectors([[maybe_unused]] const Move& m,
                                                              [[maybe_unused]] Byte* to,
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

}  // namespace

// Threaded code: each move holds the address of what does it, and jumps to the next one's. With m == nullptr the
// addresses are told, by kind.
//
// Both functions consist of these steps; MOVE is a Way, w.
#define CALLIS_STEPS(MOVE)                                                                                 \
  static const void* const kSteps[2 * Move::kIndirect] = {                                                 \
      &&copy1, &&copy2, &&copy4, &&copy8, &&copy, &&swap2, &&swap4, &&swap8,                               \
      nullptr, &&shuffles, &&zero, nullptr, nullptr, nullptr, nullptr, nullptr,                            \
      &&copy1_behind, &&copy2_behind, &&copy4_behind, &&copy8_behind, &&copy_behind, &&swap2_behind,       \
      &&swap4_behind, &&swap8_behind, nullptr, &&shuffles_behind};                                         \
  if (!m) [[unlikely]] return kSteps;                                                                      \
  const MOVE w{wire, memory};                                                                              \
  goto* m->step;                                                                                           \
  CALLIS_STEP(copy1, move_word(Move::Copy1, w.to(*m), w.from(*m)))                                         \
  CALLIS_STEP(copy2, move_word(Move::Copy2, w.to(*m), w.from(*m)))                                         \
  CALLIS_STEP(copy4, move_word(Move::Copy4, w.to(*m), w.from(*m)))                                         \
  CALLIS_STEP(copy8, move_word(Move::Copy8, w.to(*m), w.from(*m)))                                         \
  CALLIS_STEP(swap2, move_word(Move::Swap2, w.to(*m), w.from(*m)))                                         \
  CALLIS_STEP(swap4, move_word(Move::Swap4, w.to(*m), w.from(*m)))                                         \
  CALLIS_STEP(swap8, move_word(Move::Swap8, w.to(*m), w.from(*m)))                                         \
  CALLIS_STEP(zero, move_word(Move::Zero, w.to(*m), w.from(*m)))                                           \
  CALLIS_STEP(copy, copy_inline(w.to(*m), w.from(*m), m->bytes))                                           \
  CALLIS_STEP(shuffles, move_vectors(*m, w.to(*m), w.from(*m)))                                            \
  CALLIS_STEP(copy1_behind, move_word(Move::Copy1, w.behind(*m).to(*m), w.behind(*m).from(*m)))            \
  CALLIS_STEP(copy2_behind, move_word(Move::Copy2, w.behind(*m).to(*m), w.behind(*m).from(*m)))            \
  CALLIS_STEP(copy4_behind, move_word(Move::Copy4, w.behind(*m).to(*m), w.behind(*m).from(*m)))            \
  CALLIS_STEP(copy8_behind, move_word(Move::Copy8, w.behind(*m).to(*m), w.behind(*m).from(*m)))            \
  CALLIS_STEP(swap2_behind, move_word(Move::Swap2, w.behind(*m).to(*m), w.behind(*m).from(*m)))            \
  CALLIS_STEP(swap4_behind, move_word(Move::Swap4, w.behind(*m).to(*m), w.behind(*m).from(*m)))            \
  CALLIS_STEP(swap8_behind, move_word(Move::Swap8, w.behind(*m).to(*m), w.behind(*m).from(*m)))            \
  CALLIS_STEP(copy_behind, copy_inline(w.behind(*m).to(*m), w.behind(*m).from(*m), m->bytes))              \
  CALLIS_STEP(shuffles_behind, move_vectors(*m, w.behind(*m).to(*m), w.behind(*m).from(*m)))
#define CALLIS_STEP(NAME, STATEMENT) \
  NAME:                              \
  STATEMENT;                         \
  if (++m == end) return nullptr;    \
  goto* m->step;

[[gnu::hot]] CALLIS_TARGET const void* const* put_steps(const Move* m, const Move* end, Byte* wire,
                                                        const Byte* memory) noexcept {
  CALLIS_STEPS(Putting)
}
[[gnu::hot]] CALLIS_TARGET const void* const* get_steps(const Move* m, const Move* end, const Byte* wire,
                                                        Byte* memory) noexcept {
  CALLIS_STEPS(Getting)
}
#undef CALLIS_STEP
#undef CALLIS_STEPS

#endif

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

bool can_shuffle() noexcept {
#if CALLIS_SHUFFLE && defined(__x86_64__)
  static const bool yes = __builtin_cpu_supports("ssse3");
  return yes;
#else
  return CALLIS_SHUFFLE;
#endif
}

}  // namespace callis::marshal
