// SPDX-License-Identifier: Apache-2.0
#include <tools/callis/programs.h>
#include <unistd.h>
#include <algorithm>
#include <filesystem>

namespace callis::tools {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view kPrefix = "callis-";

bool is_name(std::string_view name) {
  return !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           c == '-' || c == '_';
  });
}

bool can_run(const fs::path& path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored) && ::access(path.c_str(), X_OK) == 0;
}

}  // namespace

std::vector<std::string> search_directories(const std::string& own_directory,
                                            std::string_view path) {
  std::vector<std::string> out;
  const auto add = [&out](std::string directory) {
    if (!directory.empty() && directory.front() == '/' &&
        std::find(out.begin(), out.end(), directory) == out.end()) {
      out.push_back(std::move(directory));
    }
  };
  add(own_directory);
  while (!path.empty()) {
    const std::size_t colon = std::min(path.find(':'), path.size());
    add(std::string(path.substr(0, colon)));
    path.remove_prefix(std::min(colon + 1, path.size()));
  }
  return out;
}

std::optional<std::string> find_program(const std::vector<std::string>& directories,
                                        std::string_view name) {
  if (!is_name(name)) {
    return std::nullopt;
  }
  for (const std::string& directory : directories) {
    const fs::path path = fs::path(directory) / (std::string(kPrefix) + std::string(name));
    if (can_run(path)) {
      return path.string();
    }
  }
  return std::nullopt;
}

std::vector<std::string> list_programs(const std::vector<std::string>& directories) {
  std::vector<std::string> out;
  for (const std::string& directory : directories) {
    std::error_code ignored;
    for (fs::directory_iterator at(directory, ignored), end; at != end; at.increment(ignored)) {
      const std::string file = at->path().filename().string();
      if (file.starts_with(kPrefix) && is_name(file) && file.size() > kPrefix.size() &&
          can_run(at->path())) {
        out.push_back(file.substr(kPrefix.size()));
      }
    }
  }
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

}  // namespace callis::tools
