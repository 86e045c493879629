// SPDX-License-Identifier: Apache-2.0
// The preprocessor of IDL 4.2, 7.3 (that of ISO 14882). The result is one text for the lexer in which every byte maps
// back to the file, line and column it was written at; what a macro produced maps to the macro's use.
//
// Directives are gone except #pragma, which stays in its place as a line of its own that begins
// with `#pragma`. Tokens that were not adjacent in one file are separated by white space.
#pragma once
#include <idl/source/diagnostics.h>
#include <idl/source/files.h>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace callis::idl::source {

// The bytes of a file, or nothing where it cannot be read.
using ReadFile = std::function<std::optional<std::string>(const std::string& path)>;

// From the file system; regular files up to kMaxFileBytes.
std::optional<std::string> read_from_disk(const std::string& path);

struct PreprocessOptions {
  std::vector<std::string> include_dirs;  // -I, in order; "x" is first looked for beside its includer
  std::vector<std::string> defines;       // -D: "NAME" or "NAME=VALUE"
  std::vector<std::string> undefines;     // -U, after all defines
  ReadFile read_file = read_from_disk;
};

// An #include of the main file.
struct IncludeDirective {
  std::string spelled;
  bool angled = false;
  FileId file{};
  Range where;
};

class Preprocessed {
 public:
  std::string text;
  std::vector<IncludeDirective> includes;  // of the main file, each file once
  // At `offset` the text goes into another file. `enter`: an include begins, else it has ended.
  struct FileChange {
    std::size_t offset = 0;
    bool enter = true;
    FileId file{};  // the file that text after `offset` comes from
  };
  std::vector<FileChange> changes;

  // Where text[offset, offset + length) was written. Any offset up to and including text.size().
  Range range(std::size_t offset, std::size_t length) const;

  // The text with line breaks and indentation as in the files, and lines `#line 3 "x.idl"` that say where
  // what follows comes from.
  std::string lines(const Files& files) const;

  // For preprocess() and tests: append a token. `use_length`: 0 for a token written at `at` as it
  // is, else the token comes from a macro whose use has that length.
  void append(std::string_view token, Position at, std::uint32_t use_length, bool glued);

 private:
  struct Segment {
    std::size_t offset;
    Position at;
    std::uint32_t use_length;
  };
  std::vector<Segment> segments_;
};

// Preprocesses `main`, which is in `files`; the files it includes are added there. On faults,
// reported to `diagnostics`, the text is what could be read. Always ends: include depth, number
// of includes and macro expansion are bounded.
Preprocessed preprocess(Files& files, FileId main, const PreprocessOptions& options,
                        Diagnostics& diagnostics);

}  // namespace callis::idl::source
