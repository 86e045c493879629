// SPDX-License-Identifier: Apache-2.0
// Names as applications choose them: the same in every run.
#pragma once
#include <cstdio>
#include <string>
#include <vector>

namespace bench::demux {

// Distinct; 7 to 23 characters.
inline std::vector<std::string> operation_names(std::size_t n) {
  static constexpr const char* kVerbs[] = {"get_",  "set_",  "create_", "destroy_",
                                           "list_", "find_", "update_", "reset_"};
  static constexpr const char* kNouns[] = {"name",          "position", "velocity", "status", "track",  "identity",
                                           "configuration", "mode",     "sensor",   "alarm",  "report", "target",
                                           "channel",       "log",      "user",     "value"};
  std::vector<std::string> names;
  for (std::size_t i = 0; i < n; ++i) {
    std::string name = std::string(kVerbs[i % 8]) + kNouns[i / 8 % 16];
    if (i >= 128) name += '_' + std::to_string(i / 128);
    names.push_back(std::move(name));
  }
  return names;
}

inline std::vector<std::string> numbered(const char* what, std::size_t n) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < n; ++i) {
    char text[32];
    std::snprintf(text, sizeof text, "%s_%06zu", what, i);
    names.emplace_back(text);
  }
  return names;
}
inline std::vector<std::string> object_names(std::size_t n) { return numbered("account", n); }
inline std::vector<std::string> adapter_names(std::size_t n) { return numbered("adapter", n); }

// As the operations of demux.idl and wide.idl are called.
inline std::vector<std::string> idl_operation_names(std::size_t n) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < n; ++i) {
    char text[32];
    std::snprintf(text, sizeof text, "op_%03zu", i);
    names.emplace_back(text);
  }
  return names;
}

}  // namespace bench::demux
