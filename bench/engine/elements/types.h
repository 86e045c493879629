// SPDX-License-Identifier: Apache-2.0
// The structs whose sequences are measured, and their descriptors.
#pragma once
#include <callis/marshal/descriptor.h>
#include <cstdint>
#include "../../common/bin_struct.h"

namespace bench {

// The papers' first BinStruct: without the padding that makes it 32 bytes.
struct FiveStruct {
  std::int16_t s;
  char c;
  std::int32_t l;
  std::uint8_t o;
  double d;
};

// Holes at every element: wire and native forms never agree for long.
struct ThreeStruct {
  std::int32_t l;
  double d;
  char c;
};

namespace descriptors {
using callis::marshal::Kind;
using callis::marshal::type_word;
using callis::marshal::Word;

inline constexpr Word kWords[] = {
    type_word(Kind::Struct, 6), type_word(Kind::Short),
    type_word(Kind::Char),      type_word(Kind::Long),
    type_word(Kind::Octet),     type_word(Kind::Double),
    type_word(Kind::Ref, 7),  // 0 BinStruct
    type_word(Kind::Array),     8,
    type_word(Kind::Octet),  // 7
    type_word(Kind::Struct, 5), type_word(Kind::Short),
    type_word(Kind::Char),      type_word(Kind::Long),
    type_word(Kind::Octet),     type_word(Kind::Double),  // 10 FiveStruct
    type_word(Kind::Struct, 3), type_word(Kind::Long),
    type_word(Kind::Double),    type_word(Kind::Char),  // 16 ThreeStruct
    type_word(Kind::Sequence),  0,
    type_word(Kind::Ref, 0),  // 20
    type_word(Kind::Sequence),  0,
    type_word(Kind::Ref, 10),  // 23
    type_word(Kind::Sequence),  0,
    type_word(Kind::Ref, 16),  // 26
    type_word(Kind::Sequence),  0,
    type_word(Kind::Octet),  // 29
    type_word(Kind::Sequence),  0,
    type_word(Kind::Short),  // 32
    type_word(Kind::Sequence),  0,
    type_word(Kind::Long),  // 35
    type_word(Kind::Sequence),  0,
    type_word(Kind::Double),  // 38
};
inline constexpr callis::marshal::Unit kUnit = {kWords, "", nullptr, nullptr};

template <class T> inline constexpr Word kSequenceOf = 0;
template <> inline constexpr Word kSequenceOf<BinStruct> = type_word(Kind::Ref, 20);
template <> inline constexpr Word kSequenceOf<FiveStruct> = type_word(Kind::Ref, 23);
template <> inline constexpr Word kSequenceOf<ThreeStruct> = type_word(Kind::Ref, 26);
template <> inline constexpr Word kSequenceOf<std::uint8_t> = type_word(Kind::Ref, 29);
template <> inline constexpr Word kSequenceOf<std::int16_t> = type_word(Kind::Ref, 32);
template <> inline constexpr Word kSequenceOf<std::int32_t> = type_word(Kind::Ref, 35);
template <> inline constexpr Word kSequenceOf<double> = type_word(Kind::Ref, 38);
}  // namespace descriptors

}  // namespace bench
