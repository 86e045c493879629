// SPDX-License-Identifier: Apache-2.0
// Private to this folder: finds and reads the files that #include names, and knows which of them need not be read a
// second time.
#pragma once
#include <idl/source/faults.h>
#include <idl/source/preprocess.h>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

namespace callis::idl::source {

class IncludeFiles {
 public:
  IncludeFiles(Files& files, FileId main, const PreprocessOptions& options, Faults& faults);

  // `operand`: "x" or <x> in the file `includer`, at `where`. Nothing: it is not found, which is reported.
  std::optional<FileId> find(std::string_view operand, FileId includer, const Range& where);

  // #pragma once
  void set_once(FileId id) { once_.insert(id); }
  bool is_once(FileId id) const { return once_.contains(id); }
  // All of the file stands between #ifndef `macro` and its #endif.
  void set_guard(FileId id, std::string_view macro) { guards_.insert_or_assign(id, macro); }
  // Empty: there is none that is known.
  std::string_view guard(FileId id) const {
    const auto found = guards_.find(id);
    return found == guards_.end() ? std::string_view() : found->second;
  }

 private:
  std::optional<FileId> look(const std::string& spelled, bool angled, const File& includer, Position at);
  // `name()` is its include_name.
  template <class Name>
  std::optional<FileId> try_open(const std::string& path, Name name, Position at);
  void report_missing(const std::string& spelled, bool angled, const File& includer, const Range& where);

  Files& files_;
  FileId main_;
  std::string main_path_;
  const PreprocessOptions& options_;
  Faults& faults_;
  std::unordered_set<FileId> once_;
  std::unordered_map<FileId, std::string_view> guards_;
};

}  // namespace callis::idl::source
