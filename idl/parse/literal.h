// SPDX-License-Identifier: Apache-2.0
// Literals to values (IDL 4.2, 7.2.6). Each returns nothing after reporting what is wrong.
#pragma once
#include <idl/parse/token.h>
#include <idl/parse/tree.h>
#include <idl/source/diagnostics.h>
#include <cstdint>
#include <optional>
#include <string>

namespace callis::idl::parse {

// Decimal, octal (0…), hexadecimal (0x…), up to 2^64 - 1.
std::optional<std::uint64_t> decode_integer(const Token& t, source::Diagnostics& diagnostics);
// Finite; in a long double.
std::optional<long double> decode_floating(const Token& t, source::Diagnostics& diagnostics);
// `1.50d`; at most 31 digits once needless zeros are gone (7.2.6.5).
std::optional<FixedLiteral> decode_fixed(const Token& t, source::Diagnostics& diagnostics);
// Exactly one byte; the bytes of a string, as they stand in the file.
std::optional<char> decode_character(const Token& t, source::Diagnostics& diagnostics);
std::optional<std::string> decode_string(const Token& t, source::Diagnostics& diagnostics);
// Bytes above 0x7F are read as UTF-8 where the whole literal is UTF-8, else as ISO 8859-1.
std::optional<char32_t> decode_wide_character(const Token& t, source::Diagnostics& diagnostics);
std::optional<std::u32string> decode_wide_string(const Token& t, source::Diagnostics& diagnostics);

}  // namespace callis::idl::parse
