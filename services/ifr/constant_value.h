// SPDX-License-Identifier: Apache-2.0
// Values of constants and labels as anys.
#pragma once
#include <callis/corba.h>
#include <idl/ast/nodes.h>

namespace callis::ifr {

// Of that type, aliases and all. The value is one of the type, as the compiler has checked.
CORBA::Any constant_any(const idl::ast::Value& value, const CORBA::TypeCode& type);

}  // namespace callis::ifr
