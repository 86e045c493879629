// SPDX-License-Identifier: Apache-2.0
// Choices: from names on the command line and in profiles to the declarations of a unit, for --stubs=hybrid.
#pragma once
#include <idl/ast/unit.h>
#include <idl/backends/backend.h>
#include <idl/driver/profile.h>
#include <string>
#include <vector>

namespace callis::idl::driver {

// --stubs-for=Name=style
struct StubsFor {
  std::string name;  // scoped: "Param_Test::Fixed_Struct"; of an operation or attribute too
  ast::StubStyle style = ast::StubStyle::Unsaid;
  bool known = false;  // some unit has it
};

// Of "Name=compiled" or "Name=interpreted"; false for anything else.
bool parse_stubs_for(const std::string& text, StubsFor& out);

// Marks in `list` what the unit has. Later entries win over earlier ones. A name that is no type, interface,
// operation or attribute is an error, which is added to `wrong`.
backends::Choices choose(const ast::Unit& unit, std::vector<StubsFor>& list, std::string& wrong);

// What the unit has of these operations is compiled.
backends::Choices choose(const ast::Unit& unit, const std::vector<ProfiledOperation>& operations);

// "; did you mean '…'?", or nothing.
std::string nearest_name(const ast::Unit& unit, const std::string& name);

}  // namespace callis::idl::driver
