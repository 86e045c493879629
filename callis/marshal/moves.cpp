// SPDX-License-Identifier: Apache-2.0
#include <callis/marshal/internal/moves.h>

namespace callis::marshal {

bool put_simple(const Move* m, std::uint32_t n, Byte* wire, const Byte* base, const Byte* frame) noexcept {
  for (const Move* const end = m + n; m != end; ++m) {
    const Byte* from = base;
    if (m->slot != kNoSlot) {
      from = read<const Byte*>(frame, m->slot);
      if (!from) [[unlikely]] return false;
    }
    from += m->native;
    Byte* const to = wire + m->wire;
    if (m->kind == Move::Copy) copy_inline(to, from, m->bytes);
    else if (m->kind == Move::Zero) store_word<std::uint64_t>(to, 0);  // at most 7 bytes, and what follows comes later
    else small_move(m->kind, to, from);
  }
  return true;
}

bool get_simple(const Move* m, std::uint32_t n, const Byte* wire, Byte* base, Byte* frame) noexcept {
  for (const Move* const end = m + n; m != end; ++m) {
    Byte* to = base;
    if (m->slot != kNoSlot) {
      to = read<Byte*>(frame, m->slot);
      if (!to) [[unlikely]] return false;
    }
    to += m->native;
    const Byte* const from = wire + m->wire;
    if (m->kind == Move::Copy) copy_inline(to, from, m->bytes);
    else small_move(m->kind, to, from);
  }
  return true;
}

namespace {

void any_move(const Move& m, Byte* to, const Byte* from, const Shuffle* s) {
  switch (m.kind) {
    case Move::Copy: __builtin_memcpy(to, from, m.bytes); break;
    case Move::Swap: copy_swapped(to, from, m.bytes >> m.log2_size, std::size_t{1} << m.log2_size); break;
    case Move::Shuffles: shuffle(to, 0, from, 0, 1, s + m.bytes, m.count); break;
    default: small_move(m.kind, to, from);
  }
}

}  // namespace

bool put_any(const Move* m, std::uint32_t n, Byte* wire, const Byte* base, const Byte* frame, const Shuffle* s) noexcept {
  for (const Move* const end = m + n; m != end; ++m) {
    const Byte* const from = m->slot == kNoSlot ? base : read<const Byte*>(frame, m->slot);
    if (!from) return false;
    if (m->kind == Move::Zero) store_word<std::uint64_t>(wire + m->wire, 0);
    else any_move(*m, wire + m->wire, from + m->native, s);
  }
  return true;
}

bool get_any(const Move* m, std::uint32_t n, const Byte* wire, Byte* base, Byte* frame, const Shuffle* s) noexcept {
  for (const Move* const end = m + n; m != end; ++m) {
    Byte* const to = m->slot == kNoSlot ? base : read<Byte*>(frame, m->slot);
    if (!to) return false;
    any_move(*m, to + m->native, wire + m->wire, s);
  }
  return true;
}

}  // namespace callis::marshal
