// SPDX-License-Identifier: Apache-2.0
// 16 bytes and what shuffles do with them, where the processor can: CALLIS_SHUFFLE is 1 then (shuffle.h), and
// functions that use pick() are marked CALLIS_TARGET.
#pragma once
#include <callis/base/bytes.h>
#include <callis/marshal/internal/shuffle.h>

#if CALLIS_SHUFFLE && defined(__x86_64__)
#define CALLIS_TARGET [[gnu::target("ssse3")]]
#include <immintrin.h>
#elif CALLIS_SHUFFLE
#define CALLIS_TARGET
#include <arm_neon.h>
#else
#define CALLIS_TARGET
#endif

namespace callis::marshal {

#if CALLIS_SHUFFLE && defined(__x86_64__)
using Vector = __m128i;
inline Vector load_vector(const Byte* p) {
  return _mm_loadu_si128(reinterpret_cast<const __m128i*>(p));
}
inline void store_vector(Byte* p, Vector v) { _mm_storeu_si128(reinterpret_cast<__m128i*>(p), v); }
CALLIS_TARGET inline Vector pick(Vector v, Vector mask) { return _mm_shuffle_epi8(v, mask); }
inline Vector both(Vector a, Vector b) { return _mm_or_si128(a, b); }
// The same in functions that are not CALLIS_TARGET.
inline Vector pick_anywhere(Vector v, Vector mask) {
  asm("pshufb %1, %0" : "+x"(v) : "x"(mask));
  return v;
}
#elif CALLIS_SHUFFLE
using Vector = uint8x16_t;
inline Vector load_vector(const Byte* p) { return vld1q_u8(p); }
inline void store_vector(Byte* p, Vector v) { vst1q_u8(p, v); }
inline Vector pick(Vector v, Vector mask) { return vqtbl1q_u8(v, mask); }
inline Vector both(Vector a, Vector b) { return vorrq_u8(a, b); }
inline Vector pick_anywhere(Vector v, Vector mask) { return pick(v, mask); }
#endif

}  // namespace callis::marshal
