// SPDX-License-Identifier: Apache-2.0
// A better coder to compare with, for information: member by member too, but inlined, by the templates of
// cdr::Encoder and cdr::Decoder. Still each member aligns and checks for itself.
#pragma once
#include "types.h"
#include <callis/cdr/decoder.h>
#include <callis/cdr/encoder.h>

namespace bench::inlined {

using callis::cdr::Decoder;
using callis::cdr::Encoder;

inline void put_one(Encoder& e, const FiveStruct& v) {
  e.put(v.s), e.put(static_cast<std::uint8_t>(v.c)), e.put(v.l), e.put(v.o), e.put(v.d);
}
inline void put_one(Encoder& e, const BinStruct& v) {
  e.put(v.s), e.put(static_cast<std::uint8_t>(v.c)), e.put(v.l), e.put(v.o), e.put(v.d);
  e.put_bytes({v.pad, sizeof v.pad});
}
inline void put_one(Encoder& e, const ThreeStruct& v) {
  e.put(v.l), e.put(v.d), e.put(static_cast<std::uint8_t>(v.c));
}
inline void get_one(Decoder& d, FiveStruct& v) {
  v.s = d.get<std::int16_t>(), v.c = static_cast<char>(d.get_octet()), v.l = d.get<std::int32_t>();
  v.o = d.get_octet(), v.d = d.get<double>();
}
inline void get_one(Decoder& d, BinStruct& v) {
  v.s = d.get<std::int16_t>(), v.c = static_cast<char>(d.get_octet()), v.l = d.get<std::int32_t>();
  v.o = d.get_octet(), v.d = d.get<double>();
  if (d.contiguous() < sizeof v.pad) return d.set_fault(callis::Fault::Truncated);
  std::memcpy(v.pad, d.cursor(), sizeof v.pad);
  d.advance(sizeof v.pad);
}
inline void get_one(Decoder& d, ThreeStruct& v) {
  v.l = d.get<std::int32_t>(), v.d = d.get<double>(), v.c = static_cast<char>(d.get_octet());
}

template <class T>
[[gnu::noinline]] bool put(Encoder& e, const T* p, std::uint32_t n) {
  e.put(n);
  for (std::uint32_t i = 0; i < n; ++i) put_one(e, p[i]);
  return e.fault() == callis::Fault::None;
}
template <class T>
[[gnu::noinline]] bool get(Decoder& d, T* p, std::uint32_t n) {
  if (d.get_ulong() != n) return false;
  for (std::uint32_t i = 0; i < n; ++i) get_one(d, p[i]);
  return d.ok();
}

}  // namespace bench::inlined
