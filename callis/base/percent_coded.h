// SPDX-License-Identifier: Apache-2.0
// Text as one word of printable ASCII: what is no such character, %, and the blank are written "%XX" (RFC 3986, 2.1).
// For files that hold names in columns. Any thread.
#pragma once
#include <string>
#include <string_view>

namespace callis {

inline std::string percent_coded(std::string_view text) {
  constexpr char kDigits[] = "0123456789ABCDEF";
  std::string out;
  for (const char c : text) {
    const auto u = static_cast<unsigned char>(c);
    if (c > ' ' && c <= '~' && c != '%')
      out += c;
    else
      out += {'%', kDigits[u >> 4], kDigits[u & 15]};
  }
  return out;
}

}  // namespace callis
