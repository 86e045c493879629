// SPDX-License-Identifier: Apache-2.0
#include <callis/typecode/internal/any_value.h>
#include <callis/typecode/plan_of.h>

namespace callis::typecode {

static const ValueType& must_have(const CORBA::TypeCode& type) {
  Fault fault = Fault::None;
  const ValueType* const v = value_type(type, fault);
  if (v) return *v;
  if (fault == Fault::OutOfMemory) classic::throw_no_memory();
  classic::raise<CORBA::BAD_TYPECODE>(0, CORBA::COMPLETED_NO, "a TypeCode that no value can have");
}

const marshal::Plan& plan_of(const CORBA::TypeCode& type) { return *must_have(type).plan; }

bool may_hold_values(const CORBA::TypeCode& type) { return must_have(type).fluid; }

bool may_hold_values(const marshal::AnySlot& any) {
  const TypeCode& type = type_of(any);
  return !is_empty(type) && must_have(type).fluid;
}

CORBA::TypeCode_ptr type_behind(const CORBA::TypeCode& type) noexcept {
  return const_cast<CORBA::TypeCode_ptr>(&strip_aliases(type));
}

}  // namespace callis::typecode
