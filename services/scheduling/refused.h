// SPDX-License-Identifier: Apache-2.0
// Refused: why the scheduling service does not take what it is given. The text says what was tried, what is wrong
// with it and what to do; it is one line, or one line a fault, of printable characters but for names as they were
// given.
#pragma once
#include <stdexcept>
#include <string>

namespace callis::scheduling {

class Refused : public std::runtime_error {
 public:
  enum class Kind {
    BadValue,   // a time, a name or a number that cannot be
    Duplicate,  // the name is taken
    Unknown,    // no RT_Info has this name
    Cycle,      // dependencies lead back to where they began
    TooMany,    // more than the limits allow
  };
  Refused(Kind kind, const std::string& text) : std::runtime_error(text), kind_(kind) {}
  Kind kind() const { return kind_; }

 private:
  Kind kind_;
};

}  // namespace callis::scheduling
