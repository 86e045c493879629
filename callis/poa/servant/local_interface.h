// SPDX-License-Identifier: Apache-2.0
// The static members of every local interface (CORBA 3.3 part 1, 7.8.9.1; C++ mapping 1.3, 4.44).
#pragma once
#include <callis/orb/base/object.h>

namespace callis::poa {

template <class X>
X* duplicate_local(X* p) {
  if (p) p->_add_ref();
  return p;
}
// nil if the object is nil or does not have this interface.
template <class X>
X* narrow_local(CORBA::Object_ptr object) {
  return duplicate_local(dynamic_cast<X*>(object));
}

}  // namespace callis::poa

// In the public part of class X, which derives virtually from CORBA::Object.
#define CALLIS_LOCAL_INTERFACE(X)                                                                    \
  using _ptr_type = X*;                                                                              \
  using _var_type = callis::classic::ReferenceVar<X>;                                                \
  static X* _duplicate(X* p) { return callis::poa::duplicate_local(p); }                             \
  static X* _narrow(CORBA::Object_ptr o) { return callis::poa::narrow_local<X>(o); }                 \
  static X* _unchecked_narrow(CORBA::Object_ptr o) { return callis::poa::narrow_local<X>(o); }       \
  static X* _nil() { return nullptr; }
