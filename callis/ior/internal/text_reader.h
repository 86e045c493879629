// SPDX-License-Identifier: Apache-2.0
// What the readers of references as text share. Private to this library.
#pragma once
#include <callis/base/feature.h>
#include <callis/ior/text.h>

namespace callis::ior {

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
constexpr char to_lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; }
constexpr bool is_letter(char c) { return to_lower(c) >= 'a' && to_lower(c) <= 'z'; }
constexpr int hex_value(char c) {
  if (is_digit(c)) return c - '0';
  const char l = to_lower(c);
  return l >= 'a' && l <= 'f' ? l - 'a' + 10 : -1;
}

// lower must be lower case
inline bool same_word(std::string_view text, std::string_view lower) {
  if (text.size() != lower.size()) return false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (to_lower(text[i]) != lower[i]) return false;
  }
  return true;
}
inline bool has_prefix(std::string_view text, std::string_view lower) {
  return text.size() >= lower.size() && same_word({text.data(), lower.size()}, lower);
}

// A part of the text that is read; where its characters lie tells the offsets in errors.
using Part = std::string_view;
inline Part from(Part p, std::size_t at) { return {p.data() + at, p.size() - at}; }
inline Part upto(Part p, std::size_t at) { return {p.data(), at}; }
// The first c, or size().
inline std::size_t find(Part p, char c) {
  std::size_t i = 0;
  while (i < p.size() && p[i] != c) ++i;
  return i;
}

// Reads one text. What returns bool is false after an error, which error then tells.
struct TextReader {
  const char* const start;
  const Limits& limits;
  TextError error;

  bool fail(TextProblem problem, const char* at, const char* reason);
  // "'c'" and the reason.
  bool fail_quoting(TextProblem problem, const char* at, const char* reason);
};

// What follows "corbaloc:" and "corbaname:"; only in programs that read them.
CALLIS_OPTIONAL ParsedReference parse_url(Part rest, bool name, const char* start, const Limits& limits);

}  // namespace callis::ior
