// SPDX-License-Identifier: Apache-2.0
// The arguments of Param_Test's operations, as in the papers: strings of 128 characters, sequences of nine elements;
// and whether a result is right.
#pragma once
#include "orb.h"
#include <cstring>
#include <string>

namespace bench {

using P = Param_Test;
inline constexpr CORBA::ULong kElements = 9;  // of every sequence

inline std::string text(unsigned seed) {  // 128 printable characters
  std::string s;
  for (unsigned i = 0; i < 128; ++i) s += static_cast<char>('A' + (i * 7 + seed) % 26);
  return s;
}

inline void fill(P::StrSeq& s, unsigned seed) {
  s.length(kElements);
  for (CORBA::ULong i = 0; i < kElements; ++i) s[i] = text(seed + i).c_str();
}
inline void fill(P::Var_Struct& v, unsigned seed) {
  v.dummy1 = text(seed).c_str();
  v.dummy2 = text(seed + 1).c_str();
  fill(v.seq, seed + 2);
}
inline void fill(P::Nested_Struct& v, unsigned seed) { fill(v.vs, seed); }
inline void fill(P::StructSeq& v, unsigned seed) {
  v.length(kElements);
  for (CORBA::ULong i = 0; i < kElements; ++i) fill(v[i], 10 * i + seed);
}
inline bool same(const P::StrSeq& a, const P::StrSeq& b) {
  if (a.length() != b.length()) return false;
  for (CORBA::ULong i = 0; i < a.length(); ++i)
    if (std::strcmp(a[i], b[i]) != 0) return false;
  return true;
}
inline bool same(const P::Var_Struct& a, const P::Var_Struct& b) {
  return std::strcmp(a.dummy1, b.dummy1) == 0 && std::strcmp(a.dummy2, b.dummy2) == 0 && same(a.seq, b.seq);
}
inline bool same(const P::Nested_Struct& a, const P::Nested_Struct& b) { return same(a.vs, b.vs); }
inline bool same(const P::StructSeq& a, const P::StructSeq& b) {
  if (a.length() != b.length()) return false;
  for (CORBA::ULong i = 0; i < a.length(); ++i)
    if (!same(a[i], b[i])) return false;
  return true;
}
inline bool same(const P::Fixed_Struct& a, const P::Fixed_Struct& b) {
  return a.l == b.l && a.c == b.c && a.s == b.s && a.o == b.o && a.f == b.f && a.b == b.b && a.d == b.d;
}

// Element i of a ttcp buffer of structs.
inline void fill(BinStruct& b, CORBA::ULong i) {
  b.s = static_cast<CORBA::Short>(i);
  b.c = 'c';
  b.l = static_cast<CORBA::Long>(i);
  b.o = 7;
  b.d = i;
  for (int k = 0; k < 8; ++k) b.pad[k] = static_cast<CORBA::Octet>(k + 1);
}
inline void fill(ttcp_throughput::StructSeq& s, CORBA::ULong n) {
  s.length(n);
  for (CORBA::ULong i = 0; i < n; ++i) fill(s[i], i);
}

}  // namespace bench
