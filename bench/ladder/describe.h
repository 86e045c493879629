// SPDX-License-Identifier: Apache-2.0
// The CDR form of the TypeCode of a described type, as an IDL compiler of the papers' time would have put it into a
// program: the interpreters read it.
#pragma once
#include <callis/cdr/encoder.h>
#include <callis/marshal/descriptor.h>
#include <string>
#include "kinds.h"

namespace ladder {

inline TCKind simple_kind(callis::marshal::Kind kind) {
  using callis::marshal::Kind;
  switch (kind) {
    case Kind::Boolean: return tk_boolean;
    case Kind::Octet: return tk_octet;
    case Kind::Char: return tk_char;
    case Kind::Short: return tk_short;
    case Kind::UShort: return tk_ushort;
    case Kind::Long: return tk_long;
    case Kind::ULong: return tk_ulong;
    case Kind::LongLong: return tk_longlong;
    case Kind::ULongLong: return tk_ulonglong;
    case Kind::Float: return tk_float;
    case Kind::Double: return tk_double;
    default: return tk_null;  // which no rung knows
  }
}

// Ids and names are made from the place in the unit. Types that contain themselves are not for it.
inline void describe(const callis::marshal::Unit& unit, callis::marshal::Word type, callis::cdr::Encoder& to) {
  using callis::marshal::Kind;
  using callis::marshal::Word;
  const Word payload = callis::marshal::payload_of(type);
  const Kind kind = callis::marshal::kind_of(type);
  if (kind == Kind::String) return to.put_ulong(tk_string), to.put_ulong(payload);
  if (kind != Kind::Ref) return to.put_ulong(simple_kind(kind));
  const Word* const entry = unit.words + payload;
  const Kind made = callis::marshal::kind_of(entry[0]);
  to.put_ulong(made == Kind::Struct     ? tk_struct
               : made == Kind::Sequence ? tk_sequence
               : made == Kind::Array    ? tk_array
                                        : tk_null);
  const auto inside = to.begin_encapsulation();
  if (made == Kind::Struct) {
    const Word members = callis::marshal::payload_of(entry[0]);
    to.put_string("IDL:Struct" + std::to_string(payload) + ":1.0");
    to.put_string("Struct" + std::to_string(payload));
    to.put_ulong(members);
    for (Word i = 0; i < members; ++i) {
      to.put_string("m" + std::to_string(i));
      describe(unit, entry[1 + i], to);
    }
  } else {
    describe(unit, entry[2], to);
    to.put_ulong(entry[1]);  // bound or length
  }
  to.end_encapsulation(inside);
}

}  // namespace ladder
