// SPDX-License-Identifier: Apache-2.0
// Position and Range: where something stands in the files as the user wrote them, before
// preprocessing. Plain values; the FileId indexes the Files table the compilation was made with.
#pragma once
#include <cstdint>

namespace callis::idl::source {

// Index into Files. kNoFile: nowhere (the command line, a built-in).
enum class FileId : std::uint32_t {};
inline constexpr FileId kNoFile = FileId{UINT32_MAX};

struct Position {
  FileId file = kNoFile;
  std::uint32_t line = 0;    // from 1; 0: the file as a whole
  std::uint32_t column = 0;  // from 1, counted in bytes; 0: the line as a whole

  bool known() const { return file != kNoFile; }
  friend bool operator==(const Position&, const Position&) = default;
};

// A stretch of one line. A construct that spans lines is represented by its part on the first.
struct Range {
  Position begin;
  std::uint32_t length = 1;  // bytes

  friend bool operator==(const Range&, const Range&) = default;
};

// From the beginning of `first` to the end of `last` where both stand on one line, else `first`.
Range join(const Range& first, const Range& last);

}  // namespace callis::idl::source
