// SPDX-License-Identifier: Apache-2.0
#include <callis/marshal/internal/characters.h>
#include <atomic>
#if defined(__OPTIMIZE_SIZE__)
#elif defined(__x86_64__)
#include <immintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#endif

namespace callis::marshal {

namespace {

constexpr std::size_t kMostInOnePass = 4096;  // beyond, two calls of the C library

template <bool kCopy>
[[gnu::noinline]] bool in_two_passes(Byte* to, const Byte* from, std::size_t n) {
  if constexpr (kCopy) std::memcpy(to, from, n);
  return std::memchr(from, 0, n) == nullptr;
}

#if defined(__OPTIMIZE_SIZE__) || !(defined(__x86_64__) || defined(__aarch64__))
template <bool kCopy>
inline bool in_one_pass(Byte* to, const Byte* from, std::size_t n) {
  return in_two_passes<kCopy>(to, from, n);
}
#elif defined(__x86_64__)
// The last vector first; the others may overlap it. The least of all bytes tells.
template <bool kCopy>
[[gnu::target("avx2")]] bool by_32(Byte* to, const Byte* from, std::size_t n) {
  __m256i seen = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from + n - 32));
  if constexpr (kCopy) _mm256_storeu_si256(reinterpret_cast<__m256i*>(to + n - 32), seen);
  for (std::size_t i = 0; i + 32 < n; i += 32) {
    const __m256i v = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from + i));
    if constexpr (kCopy) _mm256_storeu_si256(reinterpret_cast<__m256i*>(to + i), v);
    seen = _mm256_min_epu8(seen, v);
  }
  return _mm256_movemask_epi8(_mm256_cmpeq_epi8(seen, _mm256_setzero_si256())) == 0;
}
template <bool kCopy>
bool by_16(Byte* to, const Byte* from, std::size_t n) {
  __m128i seen = _mm_loadu_si128(reinterpret_cast<const __m128i*>(from + n - 16));
  if constexpr (kCopy) _mm_storeu_si128(reinterpret_cast<__m128i*>(to + n - 16), seen);
  for (std::size_t i = 0; i + 16 < n; i += 16) {
    const __m128i v = _mm_loadu_si128(reinterpret_cast<const __m128i*>(from + i));
    if constexpr (kCopy) _mm_storeu_si128(reinterpret_cast<__m128i*>(to + i), v);
    seen = _mm_min_epu8(seen, v);
  }
  return _mm_movemask_epi8(_mm_cmpeq_epi8(seen, _mm_setzero_si128())) == 0;
}
// 32 bytes or more, by the widest vectors of this processor; chosen by the first call.
template <bool kCopy>
bool choose_first(Byte* to, const Byte* from, std::size_t n);
template <bool kCopy>
constinit std::atomic<bool (*)(Byte*, const Byte*, std::size_t)> widest = choose_first<kCopy>;
template <bool kCopy>
bool choose_first(Byte* to, const Byte* from, std::size_t n) {
  widest<kCopy>.store(__builtin_cpu_supports("avx2") ? by_32<kCopy> : by_16<kCopy>, std::memory_order_relaxed);
  return by_16<kCopy>(to, from, n);
}
template <bool kCopy>
inline bool in_one_pass(Byte* to, const Byte* from, std::size_t n) {
  if (n >= 32) [[likely]] return widest<kCopy>.load(std::memory_order_relaxed)(to, from, n);
  return by_16<kCopy>(to, from, n);
}
#elif defined(__aarch64__)
template <bool kCopy>
inline bool in_one_pass(Byte* to, const Byte* from, std::size_t n) {
  uint8x16_t seen = vld1q_u8(from + n - 16);
  if constexpr (kCopy) vst1q_u8(to + n - 16, seen);
  for (std::size_t i = 0; i + 16 < n; i += 16) {
    const uint8x16_t v = vld1q_u8(from + i);
    if constexpr (kCopy) vst1q_u8(to + i, v);
    seen = vminq_u8(seen, v);
  }
  return vminvq_u8(seen) != 0;
}
#endif

}  // namespace

bool copy_without_zeros(Byte* to, const Byte* from, std::size_t n) noexcept {
  if (n > kMostInOnePass) [[unlikely]] return in_two_passes<true>(to, from, n);
  return in_one_pass<true>(to, from, n);
}
bool without_zeros(const Byte* from, std::size_t n) noexcept {
  if (n > kMostInOnePass) [[unlikely]] return in_two_passes<false>(nullptr, from, n);
  return in_one_pass<false>(nullptr, from, n);
}

}  // namespace callis::marshal
