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
  // Offsets of bytes that count as blanks: control characters in comments, a byte order mark,
  // directives without effect.
  std::vector<std::size_t> blanks;
  // directive[n]: line n (from 1) belongs to a preprocessor directive, continuation lines too.
  std::vector<bool> directive;

  std::size_t directive_bytes = 0;  // of all directives

  bool is_directive(std::size_t line) const { return line < directive.size() && directive[line]; }
};

inline constexpr std::string_view kNoPragmaOperator =
    "the operator _Pragma is not supported; use #pragma";

// A word of a #pragma: no blanks inside but those of a literal.
struct PragmaWord {
  std::string_view text;  // in the file's text
  std::uint32_t line = 0;
  std::uint32_t column = 0;
};

// What follows `#pragma` on the directive that begins on `line`, which is at offset `line_start` of `text`; comments
// left out, continuation lines taken in.
std::vector<PragmaWord> pragma_words(std::string_view text, std::size_t line_start, std::uint32_t line);

// Never reads outside `text`; at most a handful of faults.
Scan scan(std::string_view text);

}  // namespace callis::idl::source
