// SPDX-License-Identifier: Apache-2.0
// bound_object(): an object that a stranger has named, before it is called by operations that a stranger has defined.
// Who passes calls on (typed event channels, callis bridge) must not lend its own place in the network to strangers:
// what listens at a loopback address or a Unix-domain socket may take every caller for somebody it trusts.
//
//   const CORBA::Object_var target = messaging::bound_object(named, "IDL:Plant/Sensor:1.0", poa::kAdministrativeId);
//   if (CORBA::is_nil(target.in())) throw TypeError();
//
// It stands alone since both need it, and neither includes the other.
#pragma once
#include <callis/corba.h>

namespace callis::messaging {

// Asks the object itself by _is_a, whatever type its reference says. A reference to it whose calls stay where the
// object has answered: a forward after that is REBIND, COMPLETED_NO, and no other address of the reference is tried.
// nil: it is no `is`, it is an `is_not`, or it is an object of this ORB that a peer has named. Two calls, with the
// deadline that the reference has; system exceptions as of these. The caller owns the reference. Any thread.
CORBA::Object_ptr bound_object(CORBA::Object_ptr object, const char* is, const char* is_not);

}  // namespace callis::messaging
