// SPDX-License-Identifier: Apache-2.0
// Declarations as IDL, for people.
#pragma once
#include <idl/ast/walk.h>
#include <string>

namespace callis::tools {

// "Money balance(in string owner) raises (Bank::NoFunds)"; of an attribute its declaration.
std::string signature(const idl::ast::WireOperation& operation);

// The interface with all its operations, inherited ones too, and in front of it the types that they use, each behind
// those that it needs.
std::string describe(const idl::ast::Interface& interface);

}  // namespace callis::tools
