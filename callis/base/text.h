// SPDX-License-Identifier: Apache-2.0
// Making and reading short texts - errors, addresses, numbers - in few bytes of code.
#pragma once
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

namespace callis {

// The parts, one after the other.
std::string concat(std::initializer_list<std::string_view> parts);

// A number's decimal digits, for concat().
class Decimal final {
 public:
  explicit Decimal(std::uint64_t n) noexcept;
  operator std::string_view() const noexcept { return {digits_ + first_, sizeof digits_ - first_}; }

 private:
  char digits_[20];
  unsigned char first_ = sizeof digits_;
};

// Text that may have come from a peer, fit for a line of a log and for a terminal: what is no UTF-8, what controls a
// terminal and what reorders or hides the text around it is written "\\x1b", byte by byte; what is longer than kMost
// is cut there and ends in "...". A text that is printable stays as it is, so a second Printable changes nothing.
// Where backslashes are escaped, one in front of an x is written "\\x5c": each escape in the result then stands for
// one byte of the text.
class Printable final {
 public:
  static constexpr std::size_t kMost = 2000;  // bytes
  enum class Backslashes : bool { Keep, Escape };

  explicit Printable(std::string_view text, Backslashes backslashes = Backslashes::Keep) noexcept;
  operator std::string_view() const noexcept { return {text_, size_}; }

 private:
  std::size_t size_ = 0;
  char text_[kMost + 3];
};

// Nothing but decimal digits, of a number up to max. Leading zeros are allowed.
[[nodiscard]] bool parse_decimal(std::string_view text, std::uint64_t max, std::uint64_t& out) noexcept;

// How many letters must be put in, taken out or changed to make one text of the other (Levenshtein); more than any
// when one of them is longer than 63.
[[nodiscard]] std::size_t edit_distance(std::string_view a, std::string_view b) noexcept;

}  // namespace callis
