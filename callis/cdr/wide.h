// SPDX-License-Identifier: Apache-2.0
// How wide characters are written (CORBA 3.3 part 2, 9.3.1.6 and 9.3.2.7). The code set is always UTF-16; in memory a
// wchar_t is a code point of Unicode, so that characters beyond U+FFFF are two units on the wire and one in memory.
// Surrogates by themselves, and numbers that are no code points, are Fault::BadCharacter.
#pragma once
#include <cstdint>

namespace callis::cdr {

enum class WideForm : std::uint8_t {
  // GIOP 1.2 and encapsulations. wchar: a count of octets in an octet, then the octets; wstring: a count of octets, then
  // those, without a terminator. Big-endian; a byte order mark in front is honoured, and sent only where the text would
  // be taken for one.
  Octets,
  // GIOP 1.1. wchar: an unsigned short; wstring: a count of units with the terminator, then unsigned shorts, all in the
  // byte order of the message. A wchar beyond U+FFFF cannot be sent.
  Units,
  // GIOP 1.0 has no wide characters: Fault::WideInGiop10.
  Forbidden,
  // The reference does not say which code set the server takes: Fault::NoWideCodeSet.
  Unagreed,
};

}  // namespace callis::cdr
