// SPDX-License-Identifier: Apache-2.0
#pragma once
#ifdef INTEROP_OMNIORB
#include <omniORB4/CORBA.h>
#include "whereabouts.hh"
#else
#include <callis/corba.h>
#include <callis/messaging.h>
#include <callis/portable_server.h>
#include "whereabouts.h"
#include "whereabouts_skel.h"
#endif
#include <cstdio>
#include <iostream>
#include <map>
#include <sstream>
#include <string>

namespace interop {

inline void print(const std::string& line) {
  std::printf("%s\n", line.c_str());
  std::fflush(stdout);
}

// The same object; calls to it may take so long.
inline Whereabouts::Thing_ptr patient([[maybe_unused]] CORBA::ORB_ptr orb, Whereabouts::Thing_ptr thing,
                                      CORBA::ULong milliseconds) {
#ifdef INTEROP_OMNIORB
  omniORB::setClientCallTimeout(thing, milliseconds);
  return Whereabouts::Thing::_duplicate(thing);
#else
  CORBA::Any value;
  value <<= TimeBase::TimeT{milliseconds} * 10'000;
  CORBA::PolicyList policies;
  policies.length(1);
  policies[0] = orb->create_policy(Messaging::RELATIVE_RT_TIMEOUT_POLICY_TYPE, value);
  const CORBA::Object_var limited = thing->_set_policy_overrides(policies, CORBA::ADD_OVERRIDE);
  return Whereabouts::Thing::_unchecked_narrow(limited.in());
#endif
}

// Asks where the object is, and nothing else; omniORB does so by itself before the first call.
inline void locate(Whereabouts::Thing_ptr thing) {
#ifdef INTEROP_OMNIORB
  thing->_non_existent();
#else
  CORBA::PolicyList_var inconsistent;
  thing->_validate_connection(inconsistent.out());
#endif
}

// Answers the request being served by a forward for good, where the ORB has a way to.
[[noreturn]] inline void forward_for_good(CORBA::Object_ptr to) {
#ifdef INTEROP_OMNIORB
  throw omniORB::LOCATION_FORWARD(CORBA::Object::_duplicate(to), true);
#else
  static_cast<void>(to);
  throw CORBA::NO_IMPLEMENT();
#endif
}

}  // namespace interop
