// SPDX-License-Identifier: Apache-2.0
// Where included files are looked for: beside the includer, in the directories of -I, among the built-in files.
#include <idl/source/built_in.h>
#include <idl/source/includes.h>
#include <filesystem>

namespace callis::idl::source {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view kBuiltInPath = "(built-in)/";

// Paths are compared as text, without `.` and `..`.
std::string normal(const fs::path& path) { return path.lexically_normal().string(); }

}  // namespace

IncludeFiles::IncludeFiles(Files& files, FileId main, const PreprocessOptions& options, Faults& faults)
    : files_(files), main_(main), main_path_(normal(files[main].path)), options_(options), faults_(faults) {}

std::optional<FileId> IncludeFiles::find(std::string_view operand, FileId includer, const Range& where) {
  const bool angled = operand.front() == '<';
  const std::string spelled(operand.substr(1, operand.size() - 2));
  const auto found = look(spelled, angled, files_[includer], where.begin);
  if (!found) {
    report_missing(spelled, angled, files_[includer], where);
  }
  return found;
}

std::optional<FileId> IncludeFiles::look(const std::string& spelled, bool angled, const File& includer,
                                         Position at) {
  const fs::path name(spelled);
  if (name.is_absolute()) {
    return try_open(normal(name), [&] { return name.filename().string(); }, at);
  }
  if (!angled) {
    const auto beside = [&](const std::string& file) { return normal(fs::path(file).parent_path() / name); };
    const auto id = try_open(beside(includer.path), [&] { return beside(includer.include_name); }, at);
    if (id) {
      return id;
    }
  }
  for (const std::string& dir : options_.include_dirs) {
    if (auto id = try_open(normal(fs::path(dir) / name), [&] { return normal(name); }, at)) {
      return id;
    }
  }
  const std::string path = std::string(kBuiltInPath) + spelled;
  if (const auto known = files_.find(path)) {
    return known;
  }
  const auto text = built_in_file(spelled);
  if (!text) {
    return std::nullopt;
  }
  const FileId id = files_.add(path, std::string(*text), at);
  files_.set_include_name(id, spelled, true);
  return id;
}

template <class Name>
std::optional<FileId> IncludeFiles::try_open(const std::string& path, Name name, Position at) {
  if (const auto known = files_.find(path)) {
    return known;
  }
  if (path == main_path_) {
    return main_;
  }
  auto text = options_.read_file(path);
  if (!text) {
    return std::nullopt;
  }
  const FileId id = files_.add(path, std::move(*text), at);
  files_.set_include_name(id, name(), false);
  return id;
}

void IncludeFiles::report_missing(const std::string& spelled, bool angled, const File& includer,
                                  const Range& where) {
  std::string looked;
  if (!angled) {
    looked = "the directory of " + includer.path;
  }
  for (const std::string& dir : options_.include_dirs) {
    looked += (looked.empty() ? "" : ", ") + dir;
  }
  faults_.error(where, "cannot find '" + spelled + "'");
  faults_.note(where, looked.empty() ? "no -I directory is given: -I DIRECTORY says where to look"
                                     : "looked in " + looked + "; -I DIRECTORY adds another");
}

}  // namespace callis::idl::source
