// SPDX-License-Identifier: Apache-2.0
// Reversal of arrays' bytes, with the widest vectors that the processor has.
#include <callis/base/endian.h>
#include <callis/base/swap_array.h>
#include <cstring>

#if defined(__x86_64__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define CALLIS_VECTOR_SWAP 1
#include <immintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#endif

namespace callis {

namespace {

[[maybe_unused]] constexpr std::size_t kLeastCopied = 512, kMostCopied = 32u << 10;

template <class U>
void scalar(Byte* to, const Byte* from, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) store(to + i * sizeof(U), load<U>(from + i * sizeof(U), true));
}

void scalar(Byte* to, const Byte* from, std::size_t n, std::size_t size) {
  if (size == 2) scalar<std::uint16_t>(to, from, n);
  else if (size == 4) scalar<std::uint32_t>(to, from, n);
  else scalar<std::uint64_t>(to, from, n);
}

#ifdef CALLIS_VECTOR_SWAP

struct alignas(16) Mask {
  Byte b[16];
};
constexpr Mask mask_of(unsigned size) {
  Mask m{};
  for (unsigned i = 0; i < 16; ++i) m.b[i] = static_cast<Byte>(i / size * size + (size - 1 - i % size));
  return m;
}
constexpr Mask kMasks[] = {mask_of(2), mask_of(4), mask_of(8)};

__m128i mask_for(std::size_t size) {
  return _mm_load_si128(reinterpret_cast<const __m128i*>(kMasks[__builtin_ctzll(size) - 1].b));
}

// These return the bytes done, none when there are few. Stores that cross cache lines cost twice, so the first is
// short, that is, what it writes is partly written again, and the others are aligned.
template <bool kSwap>
[[gnu::target("avx512bw")]] std::size_t by_64(Byte* to, const Byte* from, std::size_t bytes, std::size_t size) {
  const auto swapped = [&](std::size_t i) __attribute__((target("avx512bw"))) {
    const __m512i v = _mm512_loadu_si512(from + i);
    return kSwap ? _mm512_shuffle_epi8(v, _mm512_maskz_broadcast_i32x4(0xffff, mask_for(size))) : v;
  };
  std::size_t i = 0;
  const std::size_t off = reinterpret_cast<std::uintptr_t>(to) & 63;
  if (bytes < 256 || off % size != 0 || to == from) return 0;
  if (off != 0) {
    _mm512_storeu_si512(to, swapped(0));
    i = 64 - off;
  }
  for (; i + 128 <= bytes; i += 128) {
    const __m512i a = swapped(i), b = swapped(i + 64);
    _mm512_store_si512(to + i, a);
    _mm512_store_si512(to + i + 64, b);
  }
  return i;
}
template <bool kSwap>
[[gnu::target("avx2")]] std::size_t by_32(Byte* to, const Byte* from, std::size_t bytes, std::size_t size) {
  const auto swapped = [&](std::size_t i) __attribute__((target("avx2"))) {
    const __m256i v = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from + i));
    return kSwap ? _mm256_shuffle_epi8(v, _mm256_broadcastsi128_si256(mask_for(size))) : v;
  };
  std::size_t i = 0;
  const std::size_t off = reinterpret_cast<std::uintptr_t>(to) & 31;
  if (bytes < 128 || off % size != 0 || to == from) return 0;
  if (off != 0) {
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), swapped(0));
    i = 32 - off;
  }
  for (; i + 64 <= bytes; i += 64) {
    const __m256i a = swapped(i), b = swapped(i + 32);
    _mm256_store_si256(reinterpret_cast<__m256i*>(to + i), a);
    _mm256_store_si256(reinterpret_cast<__m256i*>(to + i + 32), b);
  }
  return i;
}
[[gnu::target("ssse3")]] std::size_t by_16(Byte* to, const Byte* from, std::size_t bytes, std::size_t size) {
  const __m128i mask = mask_for(size);
  std::size_t i = 0;
  for (; i + 16 <= bytes; i += 16) {
    const __m128i v = _mm_loadu_si128(reinterpret_cast<const __m128i*>(from + i));
    _mm_storeu_si128(reinterpret_cast<__m128i*>(to + i), _mm_shuffle_epi8(v, mask));
  }
  return i;
}

int vector_level() {
  static const int level = __builtin_cpu_supports("avx512bw") ? 3
                           : __builtin_cpu_supports("avx2")   ? 2
                           : __builtin_cpu_supports("ssse3")  ? 1
                                                              : 0;
  return level;
}

#elif defined(__aarch64__)

// Returns the bytes done.
std::size_t by_16(Byte* to, const Byte* from, std::size_t bytes, std::size_t size) {
  std::size_t i = 0;
  for (; i + 16 <= bytes; i += 16) {
    const uint8x16_t v = vld1q_u8(from + i);
    vst1q_u8(to + i, size == 2 ? vrev16q_u8(v) : size == 4 ? vrev32q_u8(v) : vrev64q_u8(v));
  }
  return i;
}

#endif

}  // namespace

void copy_swapped(void* to, const void* from, std::size_t n, std::size_t size) noexcept {
  Byte* out = static_cast<Byte*>(to);
  const Byte* in = static_cast<const Byte*>(from);
  std::size_t done = 0;
#ifdef CALLIS_VECTOR_SWAP
  const int level = vector_level();
  if (level == 3) done = by_64<true>(out, in, n * size, size);
  if (level == 2) done = by_32<true>(out, in, n * size, size);
  if (level != 0) done += by_16(out + done, in + done, n * size - done, size);
#elif defined(__aarch64__)
  done = by_16(out, in, n * size, size);
#endif
  scalar(out + done, in + done, n - done / size, size);
}

void copy_array(void* to, const void* from, std::size_t bytes) noexcept {
  std::size_t done = 0;
#ifdef CALLIS_VECTOR_SWAP
  if (bytes >= kLeastCopied && bytes <= kMostCopied && to != from) {
    const int level = vector_level();
    if (level == 3) done = by_64<false>(static_cast<Byte*>(to), static_cast<const Byte*>(from), bytes, 1);
    if (level == 2) done = by_32<false>(static_cast<Byte*>(to), static_cast<const Byte*>(from), bytes, 1);
  }
#endif
  std::memcpy(static_cast<Byte*>(to) + done, static_cast<const Byte*>(from) + done, bytes - done);
}

}  // namespace callis
