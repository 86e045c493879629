// SPDX-License-Identifier: Apache-2.0
// How characters are written (CORBA 3.3 part 2, 7.10.2, 9.3.1.6 and 9.3.2.7): the code sets that client and server
// agreed on, as far as they are not those of memory. A character that a code set does not have, and bytes that are no
// character of theirs, are Fault::BadCharacter.
#pragma once
#include <cstdint>

namespace callis::cdr {

// In memory a wchar_t is a code point of Unicode: surrogates by themselves, and numbers that are no code points, are
// refused in all forms.
//
// Octets: GIOP 1.2 and encapsulations. wchar: a count of octets in an octet, then the octets; wstring: a count of
// octets, then those, without a terminator. UTF-16 is big-endian; a byte order mark in front is honoured, and sent
// only where the text would be taken for one. The others are in the byte order of the message and know no marks.
//
// Units: GIOP 1.1. wchar: an unsigned short or, for UCS-4, long; wstring: a count of those with the terminator, then
// they themselves, all in the byte order of the message. A wchar beyond U+FFFF cannot be sent in two octets.
enum class WideForm : std::uint8_t {
  Octets,  // of UTF-16
  Units,
  Ucs2Octets,
  Ucs2Units,
  Ucs4Octets,
  Ucs4Units,
  Forbidden,  // GIOP 1.0 has no wide characters: Fault::WideInGiop10
  Unagreed,   // the reference does not say which code set the server takes: Fault::NoWideCodeSet
  Incompatible,  // there is no code set for them: Fault::CodeSetsIncompatible
};
constexpr bool is_octets(WideForm f) { return (static_cast<unsigned>(f) & 1) == 0; }
constexpr unsigned unit_bytes(WideForm f) { return f < WideForm::Ucs4Octets ? 2 : 4; }

// Bounds of strings count the chars in memory. A single char is one octet in every code set: one that is not ASCII is
// refused where conversion takes place.
enum class CharForm : std::uint8_t {
  AsIs,            // the same code set: whatever bytes there are
  Utf8ForLatin1,   // UTF-8 on the wire, ISO 8859-1 in memory
  Latin1ForUtf8,   // ISO 8859-1 on the wire, UTF-8 in memory
  Incompatible,    // there is no code set for them: Fault::CodeSetsIncompatible
};

struct TextForm {
  WideForm wide = WideForm::Octets;
  CharForm chars = CharForm::AsIs;
  friend bool operator==(TextForm, TextForm) = default;
};

// A char or octet that is a whole character in every code set.
constexpr bool is_ascii(std::uint8_t c) { return c < 0x80; }

}  // namespace callis::cdr
