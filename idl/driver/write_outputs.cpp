// SPDX-License-Identifier: Apache-2.0
#include <idl/driver/write_outputs.h>
#include <unistd.h>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

namespace callis::idl::driver {

namespace {

namespace fs = std::filesystem;

bool has_text(const fs::path& path, const std::string& text) {
  std::error_code fault;
  if (!fs::is_regular_file(path, fault) || fs::file_size(path, fault) != text.size() || fault) {
    return false;
  }
  std::ifstream in(path, std::ios::binary);
  std::string there(text.size(), '\0');
  return in.read(there.data(), static_cast<std::streamsize>(there.size())) && there == text;
}

// Files under temporary names; those still there at the end are removed.
class Pending {
 public:
  ~Pending() {
    for (const auto& [temporary, final_name] : files_) {
      std::error_code ignored;
      fs::remove(temporary, ignored);
    }
  }

  std::string write(const fs::path& final_name, const std::string& text) {
    fs::path temporary = final_name;
    temporary += ".tmp" + std::to_string(::getpid());
    files_.emplace_back(temporary, final_name);
    errno = 0;
    std::ofstream out(temporary, std::ios::binary | std::ios::trunc);
    out.write(text.data(), static_cast<std::streamsize>(text.size()));
    out.close();
    return out ? "" : "cannot write '" + final_name.string() + "': " + std::strerror(errno);
  }

  std::string rename_all() {
    for (const auto& [temporary, final_name] : files_) {
      std::error_code fault;
      fs::rename(temporary, final_name, fault);
      if (fault) {
        return "cannot write '" + final_name.string() + "': " + fault.message();
      }
    }
    files_.clear();
    return "";
  }

 private:
  std::vector<std::pair<fs::path, fs::path>> files_;
};

}  // namespace

std::string write_outputs(const std::string& directory,
                          const std::vector<backends::Output>& outputs) {
  std::error_code fault;
  fs::create_directories(directory, fault);
  if (fault) {
    return "cannot make the directory '" + directory + "': " + fault.message();
  }
  Pending pending;
  for (const backends::Output& output : outputs) {
    const fs::path path = fs::path(directory) / output.name;
    if (path.has_parent_path()) {
      fs::create_directories(path.parent_path(), fault);
    }
    if (fs::is_directory(path, fault)) {
      return "cannot write '" + path.string() + "': there is a directory of that name";
    }
    if (has_text(path, output.text)) {
      continue;
    }
    if (std::string why = pending.write(path, output.text); !why.empty()) {
      return why;
    }
  }
  return pending.rename_all();
}

}  // namespace callis::idl::driver
