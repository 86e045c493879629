// SPDX-License-Identifier: Apache-2.0
// Conversions between CORBA::Object and orb::Reference.
#pragma once
#include <callis/orb/base/object.h>
#include <callis/orb/client/reference.h>

namespace callis::orb {

// Makes a CORBA::Object for a reference; the caller owns the object, which adds its own count to the reference.
CORBA::Object_ptr make_object(Reference& reference);

// The reference of an object that is to be called. Throws INV_OBJREF for nil, NO_IMPLEMENT for local objects.
Reference& reference_of(CORBA::Object_ptr object);

// Teaches the marshaling engine to handle object references. Called by a CALLIS_INSTALLER (marshal/handlers.h) of
// core.cpp, which every program with stubs has.
void install_reference_handlers() noexcept;

}  // namespace callis::orb
