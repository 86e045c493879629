// SPDX-License-Identifier: Apache-2.0
// Bytes from outside as harmless text.
#pragma once
#include <callis/base/bytes.h>
#include <string>
#include <string_view>

namespace callis::ior {

inline constexpr char kHexDigits[] = "0123456789abcdef";

// Appends text with everything but printable ASCII as \xNN, at most max_chars of it and "..." behind a cut.
void append_escaped(std::string& out, std::string_view text, std::size_t max_chars);
// Appends bytes as hexadecimal digits, at most max_bytes of them and "..." behind a cut.
void append_hex(std::string& out, ByteView bytes, std::size_t max_bytes);

}  // namespace callis::ior
