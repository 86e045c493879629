// SPDX-License-Identifier: Apache-2.0
#include <idl/source/files.h>

namespace callis::idl::source {

std::string_view File::line(std::uint32_t number) const {
  if (number == 0 || number > line_starts_.size()) {
    return {};
  }
  const std::size_t begin = line_starts_[number - 1];
  std::size_t end = number < line_starts_.size() ? line_starts_[number] : text.size();
  while (end > begin && (text[end - 1] == '\n' || text[end - 1] == '\r')) {
    --end;
  }
  return std::string_view(text).substr(begin, end - begin);
}

FileId Files::add(std::string path, std::string text, Position included_at) {
  if (const auto there = find(path)) {
    return *there;
  }
  const auto id = static_cast<FileId>(files_.size());
  File& file = files_.emplace_back();
  by_path_.emplace(path, id);
  const auto slash = path.find_last_of('/');
  file.include_name = slash == std::string::npos ? path : path.substr(slash + 1);
  file.path = std::move(path);
  file.text = std::move(text);
  file.included_at = included_at;
  file.line_starts_.push_back(0);
  for (std::size_t i = 0; i < file.text.size(); ++i) {
    if (file.text[i] == '\n') {
      file.line_starts_.push_back(i + 1);
    }
  }
  return id;
}

void Files::set_include_name(FileId id, std::string name, bool built_in) {
  File& file = files_[static_cast<std::size_t>(id)];
  file.include_name = std::move(name);
  file.built_in = built_in;
}

std::optional<FileId> Files::find(std::string_view path) const {
  const auto found = by_path_.find(std::string(path));
  return found == by_path_.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace callis::idl::source
