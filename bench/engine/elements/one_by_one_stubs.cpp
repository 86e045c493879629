// SPDX-License-Identifier: Apache-2.0
// What an IDL compiler of that school generates: a function a struct.
#include "one_by_one.h"

namespace bench::one_by_one {
namespace {

bool put_one(Writer& w, const BinStruct& v) {
  return w.put_short(v.s) && w.put_octet(static_cast<std::uint8_t>(v.c)) && w.put_long(v.l) && w.put_octet(v.o) &&
         w.put_double(v.d) && w.put_octets(v.pad, sizeof v.pad);
}
bool put_one(Writer& w, const FiveStruct& v) {
  return w.put_short(v.s) && w.put_octet(static_cast<std::uint8_t>(v.c)) && w.put_long(v.l) && w.put_octet(v.o) &&
         w.put_double(v.d);
}
bool put_one(Writer& w, const ThreeStruct& v) {
  return w.put_long(v.l) && w.put_double(v.d) && w.put_octet(static_cast<std::uint8_t>(v.c));
}

bool get_char(Reader& r, char& c) { return r.get_octet(reinterpret_cast<std::uint8_t&>(c)); }
bool get_one(Reader& r, BinStruct& v) {
  return r.get_short(v.s) && get_char(r, v.c) && r.get_long(v.l) && r.get_octet(v.o) && r.get_double(v.d) &&
         r.get_octets(v.pad, sizeof v.pad);
}
bool get_one(Reader& r, FiveStruct& v) {
  return r.get_short(v.s) && get_char(r, v.c) && r.get_long(v.l) && r.get_octet(v.o) && r.get_double(v.d);
}
bool get_one(Reader& r, ThreeStruct& v) { return r.get_long(v.l) && r.get_double(v.d) && get_char(r, v.c); }

}  // namespace

template <class T>
bool put(Writer& w, const T* p, std::uint32_t n) {
  if (!w.put_long(static_cast<std::int32_t>(n))) return false;
  for (std::uint32_t i = 0; i < n; ++i)
    if (!put_one(w, p[i])) return false;
  return true;
}
template <class T>
bool get(Reader& r, T* p, std::uint32_t n) {
  std::int32_t count;
  if (!r.get_long(count) || static_cast<std::uint32_t>(count) != n) return false;
  for (std::uint32_t i = 0; i < n; ++i)
    if (!get_one(r, p[i])) return false;
  return true;
}

template bool put(Writer&, const BinStruct*, std::uint32_t);
template bool put(Writer&, const FiveStruct*, std::uint32_t);
template bool put(Writer&, const ThreeStruct*, std::uint32_t);
template bool get(Reader&, BinStruct*, std::uint32_t);
template bool get(Reader&, FiveStruct*, std::uint32_t);
template bool get(Reader&, ThreeStruct*, std::uint32_t);

}  // namespace bench::one_by_one
