// SPDX-License-Identifier: Apache-2.0
// Declarations of IDL files as definitions.
#pragma once
#include <idl/driver/compile.h>
#include <services/ifr/model.h>
#include <services/ifr/type_codes.h>
#include <string>

namespace callis::ifr {

struct Fed {
  std::uint32_t added = 0;  // declarations that are new
  std::uint32_t known = 0;  // that were there, and say the same
};

// Why a file was not taken; the change must be rolled back.
struct NotTaken {
  std::string why;
};

// Adds all that the unit declares, inside a Change of the model. What was there before must say the same; but modules
// may grow, and an interface or value of which only the name was known is filled. Throws NotTaken.
Fed feed(Model& model, TypeCodes& type_codes, const idl::ast::Unit& unit);

// Compiles preprocessed text: nothing is included, and no file is read. Throws NotTaken with what the compiler says.
idl::driver::Compilation compile_text(const std::string& file_name, const std::string& text);

}  // namespace callis::ifr
