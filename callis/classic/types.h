// SPDX-License-Identifier: Apache-2.0
// The basic types of the OMG C++ mapping 1.3 (4.5) and their _out types (4.8).
//
// IDL enums are generated as `enum X : CORBA::ULong`, so that an enum has four bytes wherever it is stored.
#pragma once
#include <cstdint>

namespace CORBA::inline callis_orb {

using Boolean = bool;
using Octet = std::uint8_t;
using Int8 = std::int8_t;    // IDL 4.2
using UInt8 = std::uint8_t;  // IDL 4.2
using Char = char;
using WChar = wchar_t;
using Short = std::int16_t;
using UShort = std::uint16_t;
using Long = std::int32_t;
using ULong = std::uint32_t;
using LongLong = std::int64_t;
using ULongLong = std::uint64_t;
using Float = float;
using Double = double;
using LongDouble = long double;
using VoidData = void*;  // Real-Time CORBA 1.2: what IDL calls `native VoidData`

using Boolean_out = Boolean&;
using Octet_out = Octet&;
using Int8_out = Int8&;
using UInt8_out = UInt8&;
using Char_out = Char&;
using WChar_out = WChar&;
using Short_out = Short&;
using UShort_out = UShort&;
using Long_out = Long&;
using ULong_out = ULong&;
using LongLong_out = LongLong&;
using ULongLong_out = ULongLong&;
using Float_out = Float&;
using Double_out = Double&;
using LongDouble_out = LongDouble&;

static_assert(sizeof(Boolean) == 1 && sizeof(Float) == 4 && sizeof(Double) == 8);

}  // namespace CORBA::inline callis_orb
