// SPDX-License-Identifier: Apache-2.0
// Runs whose bytes one instruction puts in their places.
#include <callis/marshal/internal/builder.h>
#include <callis/marshal/internal/shuffle.h>
#include <callis/marshal/internal/vector.h>
#include <algorithm>
#include <cstring>

CALLIS_PROVIDE(shuffles);

namespace callis::marshal {

namespace {

#if CALLIS_SHUFFLE
// Programs of a few shuffles over many elements: the masks stay in registers. kAdds: bit k for Shuffle::adds.
template <unsigned K, unsigned kAdds>
CALLIS_TARGET void loop(Byte* to, std::size_t to_stride, const Byte* from, std::size_t from_stride, std::size_t count,
                        const Shuffle* s) {
  Vector mask[K];
  std::size_t dst[K], src[K];
  for (unsigned k = 0; k < K; ++k) {
    mask[k] = load_vector(s[k].mask);
    dst[k] = s[k].to;
    src[k] = s[k].from();
  }
  for (; count != 0; --count, to += to_stride, from += from_stride) {
    Vector v{};
#pragma GCC unroll 8
    for (unsigned k = 0; k < K; ++k) {
      const Vector part = pick(load_vector(from + src[k]), mask[k]);
      v = kAdds >> k & 1 ? both(v, part) : part;
      if (!(kAdds >> (k + 1) & 1)) store_vector(to + dst[k], v);
    }
  }
}

#ifdef __OPTIMIZE_SIZE__
constexpr unsigned kMostInLoop = 2;
#else
constexpr unsigned kMostInLoop = 4;
#endif

// The loop for a program, found by its length and pattern; false when there is none.
template <unsigned K, unsigned kAdds>
bool run_loop(Byte* to, std::size_t to_stride, const Byte* from, std::size_t from_stride, std::size_t count,
              const Shuffle* program, std::uint32_t length, unsigned adds) {
  if (length == K && adds == kAdds) {
    loop<K, kAdds>(to, to_stride, from, from_stride, count, program);
    return true;
  }
  if constexpr (kAdds + 2 < 1u << K) {
    return run_loop<K, kAdds + 2>(to, to_stride, from, from_stride, count, program, length, adds);
  } else if constexpr (K < kMostInLoop) {
    return run_loop<K + 1, 0>(to, to_stride, from, from_stride, count, program, length, adds);
  } else {
    return false;
  }
}

CALLIS_TARGET void any(Byte* to, std::size_t to_stride, const Byte* from, std::size_t from_stride, std::size_t count,
                       const Shuffle* program, std::uint32_t length) {
  const Shuffle* const end = program + length;
  for (; count != 0; --count, to += to_stride, from += from_stride) {
    for (const Shuffle* s = program; s != end;) {
      const std::size_t dst = s->to;
      Vector v = pick(load_vector(from + s->from()), load_vector(s->mask));
      for (++s; s != end && s->to == dst; ++s) v = both(v, pick(load_vector(from + s->from()), load_vector(s->mask)));
      store_vector(to + dst, v);
    }
  }
}
#endif

}  // namespace

void shuffle([[maybe_unused]] Byte* to, [[maybe_unused]] std::size_t to_stride, [[maybe_unused]] const Byte* from,
             [[maybe_unused]] std::size_t from_stride, [[maybe_unused]] std::size_t count,
             [[maybe_unused]] const Shuffle* program, [[maybe_unused]] std::uint32_t length) noexcept {
#if CALLIS_SHUFFLE
  if (count > 1 && length <= kMostInLoop) {
    unsigned adds = 0;
    for (std::uint32_t k = 0; k < length; ++k) adds |= unsigned{program[k].adds()} << k;
    if (run_loop<1, 0>(to, to_stride, from, from_stride, count, program, length, adds)) return;
  }
  any(to, to_stride, from, from_stride, count, program, length);
#endif
}

ShuffleProgram make_shuffles(const Array<std::uint32_t>& source, std::uint32_t source_bytes, bool exact,
                             Array<Shuffle>& shuffles) {
  const std::uint32_t size = static_cast<std::uint32_t>(source.size());
  if (source_bytes < 16 || source_bytes > Shuffle::kAdds || size < 16) return {};
  const std::uint32_t first = static_cast<std::uint32_t>(shuffles.size());
  for (std::uint32_t block = 0; block < size; block += 16) {
    // Storing exactly: the last block is moved back to end with the destination.
    const std::uint32_t to = exact && block + 16 > size ? size - 16 : block;
    bool done[16] = {};
    bool any_left = true, stored = false;
    while (any_left || !stored) {
      std::uint32_t low = kZero;
      for (std::uint32_t k = 0; k < 16; ++k)
        if (!done[k] && to + k < size && source[to + k] != kZero) low = std::min(low, source[to + k]);
      if (low == kZero && stored) break;
      Shuffle s{};
      std::memset(s.mask, 0x80, sizeof s.mask);
      const std::uint32_t window = low == kZero ? 0 : std::min(low, source_bytes - 16);
      s.to = static_cast<std::uint16_t>(to);
      s.source = static_cast<std::uint16_t>(window | (stored ? Shuffle::kAdds : 0));
      any_left = false;
      for (std::uint32_t k = 0; k < 16; ++k) {
        if (done[k] || to + k >= size || source[to + k] == kZero) continue;
        if (source[to + k] >= window && source[to + k] - window < 16) {
          s.mask[k] = static_cast<Byte>(source[to + k] - window);
          done[k] = true;
        } else {
          any_left = true;
        }
      }
      shuffles.push_back(s);
      stored = true;
    }
    if (shuffles.size() - first > kMaxShuffles) {
      shuffles.resize(first);
      return {};
    }
  }
  return {first, static_cast<std::uint32_t>(shuffles.size()) - first};
}

// Which byte comes from where, 16 at a time. Decoding may store zeros in the padding between members, and
// encoding up to 15 bytes behind the last: what follows is stored later.
bool Builder::add_shuffles(const Placed* first, const Placed* last, bool encode, bool differ) {
  const std::uint32_t native = first->item.native, span = last[-1].item.native + last[-1].item.bytes - native;
  const std::uint32_t wire = first->pad_at;
  const std::uint32_t wire_bytes = last[-1].wire + last[-1].item.bytes - wire;
  if ((encode ? wire_bytes : span) > 16 * kMaxShuffles) return false;
  bool one_copy = !differ || std::all_of(first, last, [](const Placed& p) { return p.item.log2_size() == 0; });
  one_copy = one_copy && (!encode || first->pad_at == first->wire);
  Array<std::uint32_t> source(work_);
  source.resize(encode ? wire_bytes : span);
  step(source.size() / 4);
  for (std::uint32_t& from : source) from = kZero;
  for (const Placed* p = first; p != last; ++p) {
    const std::uint32_t size = p->item.size();
    one_copy = one_copy && p->wire - first->wire == p->item.native - native &&
               (!encode || p == first || p->wire == p->pad_at);
    for (std::uint32_t k = 0; k < p->item.bytes; ++k) {
      const std::uint32_t other = differ ? k / size * size + (size - 1 - k % size) : k;
      if (encode) source[p->wire - wire + k] = p->item.native - native + other;
      else source[p->item.native - native + k] = p->wire - wire + other;
    }
  }
  if (one_copy) return false;
  const ShuffleProgram s = make_shuffles(source, encode ? span : wire_bytes, !encode, draft_.shuffles);
  if (s.count == 0) return false;
  const std::uint32_t slot = first->item.slot;
  const std::uint32_t place = slot == kNoSlot ? 0 : Move::kIndirect | slot / Move::kSlotUnit << 16;
  draft_.moves.push_back(
      {Move::Shuffles | place | s.count << 8, native, wire, share(draft_.shuffles, s.first, shared_shuffles_)});
  return true;
}

}  // namespace callis::marshal
