// SPDX-License-Identifier: Apache-2.0
// The files of page/, which the build puts into the program (embed.cmake).
#pragma once
#include <string_view>

namespace callis::tools {

struct PageFile {
  std::string_view name;  // "app.js"
  const char* type;       // "text/javascript"
  std::string_view content;
};

// nullptr: there is none of that name. "" is index.html.
const PageFile* find_page_file(std::string_view name);

}  // namespace callis::tools
