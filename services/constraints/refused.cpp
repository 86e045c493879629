// SPDX-License-Identifier: Apache-2.0
#include <callis/base/text.h>
#include <services/constraints/refused.h>
#include <algorithm>

namespace callis::constraints {

namespace {

constexpr std::size_t kBefore = 60, kAfter = 40;  // bytes of a long line that are shown around the place

}  // namespace

Refused::Refused(std::string_view text, std::size_t at, std::size_t bytes, std::string why)
    : why_(std::move(why)), at_(std::min(at, text.size())), bytes_(bytes) {
  const std::string_view before = text.substr(0, at_);
  const std::size_t begin = before.rfind('\n') == std::string_view::npos ? 0 : before.rfind('\n') + 1;
  const auto line = std::count(before.begin(), before.end(), '\n') + 1;
  column_ = at_ - begin;
  what_ = concat({Decimal(static_cast<std::uint64_t>(line)), ":", Decimal(column_ + 1), ": ", why_});
  // Only the part that is shown is kept.
  const std::size_t end = std::min(text.find('\n', at_), text.size());
  const std::size_t from = column_ > kBefore ? at_ - kBefore : begin;
  const std::size_t to = std::min(end, at_ + std::min(bytes_, kAfter) + kAfter);
  line_ = (from > begin ? "..." : "") + std::string(text.substr(from, to - from)) + (to < end ? "..." : "");
  column_ = at_ - from + (from > begin ? 3 : 0);
  bytes_ = std::min(bytes_, to - at_);
  for (char& c : line_) {
    if (c < ' ' || c > '~') c = c == '\t' ? ' ' : '?';
  }
}

std::string Refused::shown() const {
  return what_ + "\n  " + line_ + "\n  " + std::string(column_, ' ') + '^' +
         std::string(bytes_ > 1 ? bytes_ - 1 : 0, '~');
}

}  // namespace callis::constraints
