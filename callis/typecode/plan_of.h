// SPDX-License-Identifier: Apache-2.0
// The plan for values of a TypeCode, for libraries that work on such values in memory: laid out as
// callis/marshal/memory.h says, of an exception the vtable pointer first.
#pragma once
#include <callis/marshal/memory.h>
#include <callis/marshal/plan.h>
#include <callis/typecode/table.h>

namespace callis::typecode {

// Made once for a TypeCode, which keeps it. Any thread. BAD_TYPECODE for a type that has no values (tk_null, tk_void,
// natives, local interfaces), or that is too deep or too large; NO_MEMORY.
const marshal::Plan& plan_of(const CORBA::TypeCode& type);

// Whether values of the type may hold valuetypes, in anys too, so that who marshals several opens a scope around all
// (callis/value/wire.h). As plan_of().
bool may_hold_values(const CORBA::TypeCode& type);
// The same of an Any's type. False for tk_null and tk_void.
bool may_hold_values(const marshal::AnySlot& any);

// The type behind all aliases; lives as long as the one given.
CORBA::TypeCode_ptr type_behind(const CORBA::TypeCode& type) noexcept;

// Whether a type is tk_null or tk_void. As TypeCode::kind() of the type behind aliases.
inline bool is_empty(const CORBA::TypeCode& type) {
  const Word kind = kind_of(type);
  if (kind == CORBA::tk_alias || kind == kRecursive) [[unlikely]] return type_behind(type)->kind() <= CORBA::tk_void;
  return kind <= CORBA::tk_void;
}

}  // namespace callis::typecode
