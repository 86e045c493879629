// SPDX-License-Identifier: Apache-2.0
// bound_object() checks an object that a stranger has named, before operations that a stranger has defined are
// called. Typed event channels and callis bridge pass calls on. They must not lend their place in the network to
// strangers: a server at a loopback address or a Unix-domain socket may trust every caller.
//
//   const CORBA::Object_var target = messaging::bound_object(named, "IDL:Plant/Sensor:1.0", poa::kAdministrativeId);
//   if (CORBA::is_nil(target.in())) throw TypeError();
//
// The function stands alone since both need it, and neither includes the other.
#pragma once
#include <callis/corba.h>

namespace callis::messaging {

// Asks the object itself by _is_a, whatever type its reference says. Returns a reference whose calls stay where the
// object has answered: a later forward is REBIND, COMPLETED_NO, and no other address of the reference is tried.
// Returns nil if the object is no `is`, or is an `is_not`, or is an object of this ORB that a peer has named. Makes
// two calls, with the deadline of the reference, and raises their system exceptions. The caller owns the result. Any
// thread may call.
CORBA::Object_ptr bound_object(CORBA::Object_ptr object, const char* is, const char* is_not);

}  // namespace callis::messaging
