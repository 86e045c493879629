// SPDX-License-Identifier: Apache-2.0
#include <idl/ast/unit.h>

namespace callis::idl::ast {

std::string stem(const Unit& unit) {
  std::string name = (*unit.files)[unit.main_file].path;
  if (const auto slash = name.find_last_of('/'); slash != std::string::npos) {
    name.erase(0, slash + 1);
  }
  if (const auto dot = name.find_last_of('.'); dot != std::string::npos && dot != 0) {
    name.erase(dot);
  }
  return name;
}

}  // namespace callis::idl::ast
