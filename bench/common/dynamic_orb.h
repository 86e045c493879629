// SPDX-License-Identifier: Apache-2.0
// DII and DSI of either ORB.
#pragma once
#include "orb.h"
#ifndef BENCH_OMNIORB
#include <callis/dynamic.h>
#endif
#include <stdexcept>

namespace bench {

inline void check(CORBA::Request_ptr request) {
  if (const CORBA::Exception* const e = request->env()->exception()) throw std::runtime_error(words_of(*e));
}

// A call of one of Param_Test's operations, all of which have the same parameters.
inline CORBA::Request_var called(CORBA::Object_ptr object, const char* operation, const CORBA::Any& s1,
                                 const CORBA::Any& s2, CORBA::TypeCode_ptr type) {
  CORBA::Request_var request = object->_request(operation);
  request->add_in_arg() = s1;
  request->add_inout_arg() = s2;
  request->add_out_arg() = s2;  // its type
  request->set_return_type(type);
  request->invoke();
  check(request);
  return request;
}

inline CORBA::Any& argument(CORBA::Request_ptr request, CORBA::ULong i) {
  return *request->arguments()->item(i)->value();
}

}  // namespace bench
