// SPDX-License-Identifier: Apache-2.0
// Diagnostics: collects what is wrong with the user's IDL and renders it the way today's compilers
// do: `file:line:col: error: text`, the source line, a caret. Every stage reports here and goes on
// as far as it can; the driver asks failed() at the end.
//
// text() has the files in the order in which they were first reported on, and each in the order of its lines. After
// `error_limit` errors one last line says so, further reports are only counted and exhausted() turns true: a stage
// may then stop early.
#pragma once
#include <idl/source/files.h>
#include <string>
#include <string_view>
#include <vector>

namespace callis::idl::source {

enum class Severity { Error, Warning, Note };

struct Diagnostic {
  Severity severity = Severity::Error;
  Range where;
  std::string text;  // one line, no full stop
};

class Diagnostics {
 public:
  explicit Diagnostics(const Files& files, std::size_t error_limit = 50)
      : files_(files), error_limit_(error_limit) {}
  Diagnostics(const Diagnostics&) = delete;
  Diagnostics& operator=(const Diagnostics&) = delete;

  void error(const Range& where, std::string text);
  void warning(const Range& where, std::string text);
  // Belongs to the error or warning reported just before, and is dropped where that was dropped.
  void note(const Range& where, std::string text);

  bool failed() const { return errors_ != 0; }
  bool exhausted() const { return errors_ >= error_limit_; }
  std::size_t errors() const { return errors_; }
  std::size_t warnings() const { return warnings_; }
  const std::vector<Diagnostic>& all() const { return reported_; }

  // Everything reported, rendered, each line ended; empty when there is nothing.
  std::string text() const;

 private:
  std::vector<const Diagnostic*> in_order() const;

  const Files& files_;
  std::size_t error_limit_;
  std::size_t errors_ = 0;
  std::size_t warnings_ = 0;
  bool dropped_last_ = false;
  std::vector<Diagnostic> reported_;
};

}  // namespace callis::idl::source
