// SPDX-License-Identifier: Apache-2.0
// The strings of Param_Test's arguments: 128 characters, as in the papers. Sequences have nine elements.
#pragma once
#include <string>

namespace bench {

inline constexpr unsigned kElements = 9;

inline std::string text(unsigned seed) {
  std::string s;
  for (unsigned i = 0; i < 128; ++i) s += static_cast<char>('A' + (i * 7 + seed) % 26);
  return s;
}

}  // namespace bench
