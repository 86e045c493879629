// SPDX-License-Identifier: Apache-2.0
// Private to this folder, and apart because lexer, macros, conditions and directives all report through it: the
// faults of one run of the preprocessor, and where that run ends.
#pragma once
#include <idl/source/diagnostics.h>
#include <idl/source/limits.h>
#include <string>
#include <utility>

namespace callis::idl::source {

// Thrown to end preprocessing. The reason has been reported.
struct Stop {};

class Faults {
 public:
  explicit Faults(Diagnostics& diagnostics) : diagnostics_(diagnostics) {}

  // Throws Stop when kMaxFaults errors have been reported before.
  void error(const Range& where, std::string text) {
    if (errors_ == kMaxFaults) {
      throw Stop{};
    }
    ++errors_;
    diagnostics_.error(where, std::move(text));
  }
  void warning(const Range& where, std::string text) { diagnostics_.warning(where, std::move(text)); }
  // Belongs to the error or warning just before.
  void note(const Range& where, std::string text) { diagnostics_.note(where, std::move(text)); }

  [[noreturn]] void give_up(const Range& where, std::string text) {
    diagnostics_.error(where, std::move(text));
    throw Stop{};
  }

 private:
  Diagnostics& diagnostics_;
  std::size_t errors_ = 0;
};

}  // namespace callis::idl::source
