// SPDX-License-Identifier: Apache-2.0
#include <idl/sema/suggest.h>
#include <algorithm>
#include <utility>
#include <vector>

namespace callis::idl::sema {

namespace {

constexpr std::size_t kMaxLength = 64;       // longer names are not compared
constexpr std::size_t kMaxCandidates = 20'000;

}  // namespace

// Damerau's distance, row by row (optimal string alignment).
std::size_t edit_distance(std::string_view a, std::string_view b, std::size_t most) {
  const std::size_t difference = a.size() > b.size() ? a.size() - b.size() : b.size() - a.size();
  if (difference > most) {
    return most + 1;
  }
  std::vector<std::size_t> before(b.size() + 1);
  std::vector<std::size_t> last(b.size() + 1);
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) {
    last[j] = j;
  }
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replace = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, replace});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        row[j] = std::min(row[j], before[j - 2] + 1);
      }
    }
    std::swap(before, last);
    std::swap(last, row);
  }
  return std::min(last[b.size()], most + 1);
}

Suggestion::Suggestion(std::string_view wrong)
    : wrong_(wrong),
      distance_(wrong.size() > kMaxLength || wrong.size() < 3 ? 0 : wrong.size() / 3 + 1) {}

void Suggestion::offer(std::string_view candidate) {
  if (distance_ == 0 || candidate == wrong_ || candidate.size() > kMaxLength ||
      ++offered_ > kMaxCandidates) {
    return;
  }
  const std::size_t distance = edit_distance(wrong_, candidate, distance_ - 1);
  if (distance < distance_ && distance < candidate.size()) {
    distance_ = distance;
    best_ = candidate;
  }
}

std::string_view foreign_type_hint(std::string_view name) {
  static constexpr std::pair<std::string_view, std::string_view> kHints[] = {
      {"int", "IDL has no 'int'; use 'long'"},
      {"signed", "IDL's integers are signed without the word"},
      {"bool", "IDL calls it 'boolean'"},
      {"byte", "IDL calls it 'octet'"},
      {"wchar_t", "IDL calls it 'wchar'"},
      {"char16_t", "IDL calls it 'wchar'"},
      {"vector", "IDL calls it 'sequence'"},
      {"std", "IDL has types of its own: 'string', 'long', 'sequence<long>' ..."},
      {"int8_t", "use 'int8', or 'octet' for bytes"},
      {"uint8_t", "use 'octet'"},
      {"int16_t", "use 'short'"},
      {"uint16_t", "use 'unsigned short'"},
      {"int32_t", "use 'long', which has 32 bits"},
      {"uint32_t", "use 'unsigned long', which has 32 bits"},
      {"int64_t", "use 'long long'"},
      {"uint64_t", "use 'unsigned long long'"},
      {"size_t", "use 'unsigned long' or 'unsigned long long': IDL's types have one size on all machines"},
      {"ssize_t", "use 'long' or 'long long': IDL's types have one size on all machines"},
      {"uint", "use 'unsigned long'"},
  };
  for (const auto& [foreign, hint] : kHints) {
    if (name == foreign) {
      return hint;
    }
  }
  return {};
}

}  // namespace callis::idl::sema
