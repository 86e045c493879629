// SPDX-License-Identifier: Apache-2.0
// Runs of scalars between memory and wire that are not one copy.
#include <callis/base/swap_array.h>
#include <callis/marshal/internal/characters.h>
#include <callis/marshal/internal/moves.h>
#include <callis/marshal/internal/vector.h>

namespace callis::marshal {

namespace {

#if CALLIS_SHUFFLE && defined(__x86_64__)
// Before this has been asked shuffles go byte by byte.
constinit bool has_vectors = false;
[[gnu::constructor(101)]] void look_at_processor() {
  __builtin_cpu_init();
  has_vectors = __builtin_cpu_supports("ssse3");
}
#else
constexpr bool has_vectors = CALLIS_SHUFFLE;
#endif

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

// The shuffles of a move, where no instruction does them.
void move_bytes(const Move& m, Byte* to, const Byte* from) {
  const Shuffle* s = m.shuffles();
  for (const Shuffle* const end = s + m.count(); s != end; ++s) {
    for (unsigned k = 0; k < 16; ++k) {
      const Byte pick = s->mask[k];
      const Byte b = pick < 16 ? from[s->from() + pick] : 0;
      if (!s->adds()) to[s->to + k] = b;
      else if (pick < 16) to[s->to + k] = b;
    }
  }
}

[[gnu::always_inline]] inline void move_vectors(const Move& m, Byte* to, const Byte* from) {
#if CALLIS_SHUFFLE
  const Shuffle* s = m.shuffles();
  std::uint32_t left = m.count();
  Vector v{};
  do {
    const Vector part = pick_anywhere(load_vector(from + s->from()), load_vector(s->mask));
    v = s->adds() ? both(v, part) : part;
    store_vector(to + s->to, v);
    ++s;
  } while (--left != 0);
#else
  move_bytes(m, to, from);
#endif
}

// Leaves the rest of a list to another function, which is called last, so that no register is saved for it.
#define CALLIS_SHUFFLE_OR(REST)                       \
  if (CALLIS_SHUFFLE && !has_vectors) [[unlikely]]    \
    return REST(m, wire, memory);                     \
  move_vectors(*m, v.to(*m), v.from(*m))

// The two ways of a move.
struct Putting {
  Byte* wire;
  const Byte* memory;
  Byte* to(const Move& m) const { return wire + m.wire; }
  const Byte* from(const Move& m) const { return memory + m.native; }
  Putting behind(const Move& m) const { return {wire, read<const Byte*>(memory, m.slot())}; }
};
struct Getting {
  const Byte* wire;
  Byte* memory;
  Byte* to(const Move& m) const { return memory + m.native; }
  const Byte* from(const Move& m) const { return wire + m.wire; }
  Getting behind(const Move& m) const { return {wire, read<Byte*>(memory, m.slot())}; }
};

template <class Way>
void move_rare(const Move& m, Way w) {
  if (m.indirect()) w = w.behind(m);
  switch (m.kind()) {
    case Move::Copy: __builtin_memcpy(w.to(m), w.from(m), m.bytes); break;
    case Move::Swap:
      copy_swapped(w.to(m), w.from(m), m.bytes >> m.log2_size(), std::size_t{1} << m.log2_size());
      break;
    case Move::Shuffles:
      if (has_vectors) move_vectors(m, w.to(m), w.from(m));
      else move_bytes(m, w.to(m), w.from(m));
      break;
    default: move_word(m.kind(), w.to(m), w.from(m));
  }
}

}  // namespace

#ifndef __OPTIMIZE_SIZE__

// Threaded code: each move says what is done, and whether it is the last, in the byte that the table is indexed by.
//
// Both functions consist of these steps; MOVE is a Way, w.
#define CALLIS_STEPS(MOVE, REST)                                                                           \
  static const void* const kSteps[] = {                                                                    \
      CALLIS_LABELS(), CALLIS_LABELS(_behind), CALLIS_LABELS(_last), CALLIS_LABELS(_behind_last)};         \
  const MOVE w{wire, memory};                                                                              \
  goto* kSteps[m->how & 0xff];                                                                             \
  CALLIS_WAYS(copy1, move_word(Move::Copy1, v.to(*m), v.from(*m)))                                         \
  CALLIS_WAYS(copy2, move_word(Move::Copy2, v.to(*m), v.from(*m)))                                         \
  CALLIS_WAYS(copy4, move_word(Move::Copy4, v.to(*m), v.from(*m)))                                         \
  CALLIS_WAYS(copy8, move_word(Move::Copy8, v.to(*m), v.from(*m)))                                         \
  CALLIS_WAYS(swap2, move_word(Move::Swap2, v.to(*m), v.from(*m)))                                         \
  CALLIS_WAYS(swap4, move_word(Move::Swap4, v.to(*m), v.from(*m)))                                         \
  CALLIS_WAYS(swap8, move_word(Move::Swap8, v.to(*m), v.from(*m)))                                         \
  CALLIS_WAYS(zero, move_word(Move::Zero, v.to(*m), v.from(*m)))                                           \
  CALLIS_WAYS(copy, copy_inline(v.to(*m), v.from(*m), m->bytes))                                           \
  CALLIS_WAYS(shuffles, CALLIS_SHUFFLE_OR(REST))
#define CALLIS_LABELS(END)                                                                                 \
  &&copy1##END, &&copy2##END, &&copy4##END, &&copy8##END, &&copy##END, &&swap2##END, &&swap4##END,         \
      &&swap8##END, nullptr, &&shuffles##END, &&zero##END, nullptr, nullptr, nullptr, nullptr, nullptr
#define CALLIS_WAYS(NAME, STATEMENT)                                    \
  CALLIS_STEP(NAME, w, STATEMENT, ++m; goto* kSteps[m->how & 0xff])     \
  CALLIS_STEP(NAME##_behind, w.behind(*m), STATEMENT, ++m; goto* kSteps[m->how & 0xff]) \
  CALLIS_STEP(NAME##_last, w, STATEMENT, return)                        \
  CALLIS_STEP(NAME##_behind_last, w.behind(*m), STATEMENT, return)
#define CALLIS_STEP(NAME, WAY, STATEMENT, NEXT) \
  NAME : {                                      \
    const auto v = WAY;                         \
    STATEMENT;                                  \
    NEXT;                                       \
  }

[[gnu::hot]] void put_steps(const Move* m, Byte* wire, const Byte* memory) noexcept {
  CALLIS_STEPS(Putting, put_rare)
}
[[gnu::hot]] void get_steps(const Move* m, const Byte* wire, Byte* memory) noexcept {
  CALLIS_STEPS(Getting, get_rare)
}
#undef CALLIS_STEP
#undef CALLIS_WAYS
#undef CALLIS_LABELS
#undef CALLIS_STEPS
#undef CALLIS_SHUFFLE_OR

#endif

void move_by_bytes(const Move& m, Byte* to, const Byte* from) noexcept { move_bytes(m, to, from); }

void put_rare(const Move* m, Byte* wire, const Byte* memory) noexcept {
  for (;; ++m) {
    move_rare(*m, Putting{wire, memory});
    if (m->last()) return;
  }
}
void get_rare(const Move* m, const Byte* wire, Byte* memory) noexcept {
  for (;; ++m) {
    move_rare(*m, Getting{wire, memory});
    if (m->last()) return;
  }
}

bool can_shuffle() noexcept { return has_vectors; }

}  // namespace callis::marshal
