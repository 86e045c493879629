// SPDX-License-Identifier: Apache-2.0
// A look over a file's bytes before the preprocessor sees them: faults that the preprocessor would
// stumble over, and the lines that directives occupy.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace callis::idl::source {

struct ScanFault {
  std::uint32_t line = 0;
  std::uint32_t column = 0;
  std::string text;
};

struct Scan {
  std::vector<ScanFault> faults;
  // Offsets of bytes that count as blanks: control characters in comments, a byte order mark.
  std::vector<std::size_t> blanks;
  // directive[n]: line n (from 1) belongs to a preprocessor directive, continuation lines too.
  std::vector<bool> directive;

  bool is_directive(std::size_t line) const { return line < directive.size() && directive[line]; }
};

// Identifiers longer than this are refused: no real name comes near, and the preprocessor keeps
// names in fixed buffers.
inline constexpr std::size_t kMaxIdentifier = 255;

// Nesting in one #if.
inline constexpr std::size_t kMaxConditionDepth = 100;

// Never reads outside `text`; at most a handful of faults.
Scan scan(std::string_view text);

}  // namespace callis::idl::source
