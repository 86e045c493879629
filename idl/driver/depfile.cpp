// SPDX-License-Identifier: Apache-2.0
#include <idl/driver/depfile.h>

namespace callis::idl::driver {

namespace {

std::string escaped(const std::string& name) {
  std::string out;
  for (const char c : name) {
    if (c == ' ' || c == '\t' || c == '#') {
      out += '\\';
    } else if (c == '$') {
      out += '$';
    }
    out += c;
  }
  return out;
}

}  // namespace

std::string depfile(const std::vector<std::string>& targets, const std::vector<std::string>& files, bool phony) {
  std::string out;
  for (const std::string& target : targets) {
    out += (out.empty() ? "" : " ") + escaped(target);
  }
  out += ":";
  for (const std::string& file : files) {
    out += " \\\n  " + escaped(file);
  }
  out += "\n";
  for (std::size_t i = 1; phony && i < files.size(); ++i) {
    out += escaped(files[i]) + ":\n";
  }
  return out;
}

}  // namespace callis::idl::driver
