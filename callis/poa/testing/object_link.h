// SPDX-License-Identifier: Apache-2.0
// The link of CORBA::Object, for references to servants without an interface of their own.
#pragma once
#include <callis/orb/base/stub.h>
#include <callis/orb/core/object_of.h>

namespace callis::poa::testing {

inline void* create_object(orb::Reference* r) { return orb::make_object(*r); }
inline CORBA::Object* to_object(void* p) { return static_cast<CORBA::Object*>(p); }

// A CORBA::Object is what a stub of an interface without operations is.
inline const orb::InterfaceLink kObjectLink{"IDL:omg.org/CORBA/Object:1.0", &create_object, &to_object};

}  // namespace callis::poa::testing
