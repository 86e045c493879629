// SPDX-License-Identifier: Apache-2.0
#include <services/scheduling/rt_info.h>
#include <algorithm>
#include <iterator>

namespace callis::scheduling {

namespace {

constexpr std::string_view kKinds[] = {"operation", "and", "or"};
constexpr std::string_view kCalls[] = {"oneway", "twoway"};
constexpr std::string_view kLevels[] = {"very-low", "low", "medium", "high", "very-high"};

template<class E, std::size_t kCount>
bool read(std::string_view word, const std::string_view (&words)[kCount], E& out) {
  std::string plain(word);
  std::replace(plain.begin(), plain.end(), '_', '-');
  const auto* const found = std::find(std::begin(words), std::end(words), plain);
  if (found == std::end(words)) return false;
  out = static_cast<E>(found - std::begin(words));
  return true;
}

}  // namespace

std::string placed(const RtInfo& info, const std::string& text) {
  return info.where.empty() ? text : info.where + ": error: " + text;
}

std::string_view word_of(InfoKind kind) { return kKinds[static_cast<std::size_t>(kind)]; }
std::string_view word_of(CallKind kind) { return kCalls[static_cast<std::size_t>(kind)]; }
std::string_view word_of(Criticality value) { return kLevels[static_cast<std::size_t>(value)]; }
std::string_view word_of(Importance value) { return kLevels[static_cast<std::size_t>(value)]; }
bool from_word(std::string_view word, InfoKind& out) { return read(word, kKinds, out); }
bool from_word(std::string_view word, CallKind& out) { return read(word, kCalls, out); }
bool from_word(std::string_view word, Criticality& out) { return read(word, kLevels, out); }
bool from_word(std::string_view word, Importance& out) { return read(word, kLevels, out); }

}  // namespace callis::scheduling
