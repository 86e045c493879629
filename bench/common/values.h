// SPDX-License-Identifier: Apache-2.0
// The arguments of Param_Test's operations, as in the papers: strings of 128 characters, sequences of nine elements;
// and whether a result is right.
#pragma once
#include "../peers/common/elements.h"
#include "../peers/common/text.h"
#include "orb.h"
#include <cstring>
#include <string>

namespace bench {

using P = Param_Test;

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


// Makes a value wrong, so that a call which leaves it as it is is noticed.
inline void spoil(P::StrSeq& s) {
  for (CORBA::ULong i = 0; i < s.length(); ++i) s[i][0] = '!';
}
inline void spoil(P::Var_Struct& v) {
  v.dummy1[0] = '!';
  v.dummy2[0] = '!';
  spoil(v.seq);
}
inline void spoil(P::Nested_Struct& v) { spoil(v.vs); }
inline void spoil(P::StructSeq& s) {
  for (CORBA::ULong i = 0; i < s.length(); ++i) spoil(s[i]);
}
// Whether a string was right, which it is not afterwards.
inline bool spoiled(CORBA::String_var& s, const std::string& right) {
  const bool was = right == s.in();
  s[0] = '!';
  return was;
}

inline void fill(ttcp_throughput::StructSeq& s, CORBA::ULong n) {
  s.length(n);
  for (CORBA::ULong i = 0; i < n; ++i) {
    fill(s[i], std::size_t{i});
    fill_pad(s[i].pad);
  }
}

}  // namespace bench
