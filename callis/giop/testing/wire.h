// SPDX-License-Identifier: Apache-2.0
// Messages written by hand for tests, in either byte order, without help from the code under test.
#pragma once
#include <callis/base/bytes.h>
#include <callis/base/endian.h>
#include <callis/base/limits.h>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace callis::giop::testing {

using Bytes = std::vector<Byte>;

inline constexpr ByteOrder kBig = ByteOrder::Big, kLittle = ByteOrder::Little;
inline const Limits kLimits;

inline Bytes octets(std::string_view s) { return {s.begin(), s.end()}; }

// Bytes from a notation: blanks separate tokens;
//   'text'  ASCII characters          2:7  a 2-byte number in order
//   0a1b    hexadecimal octets        4:7  a 4-byte number in order
//   F       the flags octet: byte order   F+   the same with "more fragments"
Bytes wire(ByteOrder order, std::string_view notation);

// "'GIOP'", version, flags, type and size in front of a body given in the same notation.
Bytes giop_message(ByteOrder order, int minor, int type, std::string_view body, bool more = false);

Bytes operator+(Bytes a, const Bytes& b);

// A message with a name, and whether a server receives it (else a client).
struct Recorded {
  std::string name;
  bool to_server;
  Bytes bytes;
};
// One message or fragment train of every type, version and addressing, in both byte orders.
std::vector<Recorded> recorded();

}  // namespace callis::giop::testing
