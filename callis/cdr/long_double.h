// SPDX-License-Identifier: Apache-2.0
// long double on the wire: IEEE 754 binary128, 16 bytes, aligned to 8 (CORBA 3.3 part 2, 9.3.1.4).
#pragma once
#include <callis/base/endian.h>
#include <callis/cdr/quad.h>
#include <cfloat>

namespace callis::cdr {

#if LDBL_MANT_DIG == 113
using Quad = long double;
#elif LDBL_MANT_DIG == 53
using Quad = SoftQuad;
#else
using Quad = __float128;  // x86's long double has 64 bits of mantissa; libgcc converts
#endif
static_assert(sizeof(Quad) == 16);

inline void store_long_double(void* to, long double value, bool swap) {
  const Quad q = static_cast<Quad>(value);
  std::uint64_t w[2];
  std::memcpy(w, &q, 16);
  if (swap) {
    const auto low = w[0];
    w[0] = byte_swap(w[1]);
    w[1] = byte_swap(low);
  }
  std::memcpy(to, w, 16);
}

inline long double load_long_double(const void* from, bool swap) {
  std::uint64_t w[2];
  std::memcpy(w, from, 16);
  if (swap) {
    const auto low = w[0];
    w[0] = byte_swap(w[1]);
    w[1] = byte_swap(low);
  }
  Quad q;
  std::memcpy(&q, w, 16);
  return static_cast<long double>(q);
}

}  // namespace callis::cdr
