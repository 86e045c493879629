// SPDX-License-Identifier: Apache-2.0
// Widening extraction from Anys (C++ mapping 1.3, 4.20.8): only the ORB's library knows an interface's class.
#include <callis/orb/base/abstract.h>
#include <callis/orb/base/stub.h>
#include <callis/typecode/any.h>

namespace CORBA::inline callis_orb {

namespace {

// The place of the pointer if the Any holds one of these kinds.
void* const* pointer_in(const Any& any, const TypeCode_var& type, std::initializer_list<TCKind> kinds) {
  TypeCode_var real = TypeCode::_duplicate(type.in());
  while (real->kind() == tk_alias) real = real->content_type();
  for (const TCKind k : kinds)
    if (real->kind() == k) return static_cast<void* const*>(any.value());
  return nullptr;
}

}  // namespace

Boolean Any::operator>>=(to_object t) const {
  t.ref = nullptr;
  const TypeCode_var own = type();
  void* const* const p = pointer_in(*this, own, {tk_objref, tk_component, tk_home});
  if (!p) return false;
  const auto* const link = static_cast<const callis::orb::InterfaceLink*>(callis::typecode::link_of(*own.in()));
  if (*p) t.ref = Object::_duplicate(link ? link->to_object(*p) : static_cast<Object_ptr>(*p));
  return true;
}

Boolean Any::operator>>=(to_abstract_base t) const {
  t.ref = nullptr;
  const TypeCode_var own = type();
  void* const* const p = pointer_in(*this, own, {tk_abstract_interface});
  if (!p) return false;
  const auto* const link = static_cast<const callis::orb::AbstractLink*>(callis::typecode::link_of(*own.in()));
  if (*p) t.ref = AbstractBase::_duplicate(link ? link->to_base(*p) : static_cast<AbstractBase_ptr>(*p));
  return true;
}

}  // namespace CORBA::inline callis_orb
