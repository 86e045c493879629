// SPDX-License-Identifier: Apache-2.0
// Words of types and parameters, as generated code has them (descriptor.h).
#pragma once
#include <callis/marshal/descriptor.h>

namespace callis::marshal::testing {

inline constexpr Word kVoid = type_word(Kind::Void), kShort = type_word(Kind::Short), kLong = type_word(Kind::Long),
                      kChar = type_word(Kind::Char), kOctet = type_word(Kind::Octet),
                      kDouble = type_word(Kind::Double), kString = type_word(Kind::String),
                      kBoolean = type_word(Kind::Boolean);

constexpr Word in(Word t) { return t; }
constexpr Word out(Word t) { return t | Word{1} << 6; }
constexpr Word inout(Word t) { return t | Word{2} << 6; }

}  // namespace callis::marshal::testing
