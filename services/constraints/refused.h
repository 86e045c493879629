// SPDX-License-Identifier: Apache-2.0
// Refused: why a text is no constraint or no preference, and where.
#pragma once
#include <cstddef>
#include <exception>
#include <string>
#include <string_view>

namespace callis::constraints {

class Refused final : public std::exception {
 public:
  // at, bytes: the place in the text, in bytes from its start; bytes may be 0, and at the text's end.
  Refused(std::string_view text, std::size_t at, std::size_t bytes, std::string why);

  // "1:9: a number is compared with a text", line and column counted from 1, columns in bytes.
  const char* what() const noexcept override { return what_.c_str(); }
  const std::string& why() const { return why_; }
  std::size_t at() const { return at_; }
  // what(), below it the line of the text, and below that a caret and the length of the fault:
  //   1:9: a number is compared with a text
  //     Cost == 'low'
  //             ^~~~~
  // A long line is cut to the part around the place; bytes that are not printable ASCII are shown as '?'.
  std::string shown() const;

 private:
  std::string line_, why_, what_;
  std::size_t at_, column_, bytes_;
};

}  // namespace callis::constraints
