// SPDX-License-Identifier: Apache-2.0
// Files: the text of every file a compilation has read, main file first. Each path appears once,
// however often it is included. Grows only; references to a File stay valid. One thread.
#pragma once
#include <idl/source/position.h>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace callis::idl::source {

struct File {
  std::string path;      // as opened: what diagnostics print
  std::string text;      // as read, bytes unchanged
  Position included_at;  // the first #include that led here; unknown for a main file
  // How an #include spells it that stands beside the main file; a main file's own name. With the
  // directories of #include "sub/x.idl", without those of -I.
  std::string include_name;
  bool built_in = false;  // part of the compiler: not on the disk

  // Line `number` (from 1) without its end of line; empty past the end.
  std::string_view line(std::uint32_t number) const;

 private:
  friend class Files;
  std::vector<std::size_t> line_starts_;
};

class Files {
 public:
  // The file's id; a path already there keeps its first text and its first includer.
  FileId add(std::string path, std::string text, Position included_at = {});
  std::optional<FileId> find(std::string_view path) const;
  // What add() does not know.
  void set_include_name(FileId id, std::string name, bool built_in);
  // `id` must come from this table.
  const File& operator[](FileId id) const { return files_[static_cast<std::size_t>(id)]; }
  std::size_t size() const { return files_.size(); }
  bool empty() const { return files_.empty(); }

 private:
  std::deque<File> files_;
  std::unordered_map<std::string, FileId> by_path_;
};

}  // namespace callis::idl::source
