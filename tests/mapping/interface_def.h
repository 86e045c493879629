// SPDX-License-Identifier: Apache-2.0
// What two source files of one program do with an InterfaceDef: `plain` knows it from the runtime's header,
// `compiled` from compiled IDL.
#pragma once
#include <callis/corba.h>
#include <callis/orb/core/standard_names.h>

#define FUNCTIONS                                               \
  CORBA::InterfaceDef_ptr narrowed(CORBA::Object_ptr object);   \
  CORBA::Object_ptr object_of(CORBA::InterfaceDef_ptr p);       \
  CORBA::TypeCode_ptr type();                                   \
  void put(CORBA::Any& any, CORBA::InterfaceDef_ptr p);         \
  bool get(const CORBA::Any& any, CORBA::InterfaceDef_ptr& p);

namespace plain {
FUNCTIONS
}
namespace compiled {
FUNCTIONS
// Whether it has the operations that the IDL declares.
bool has_operations(CORBA::InterfaceDef_ptr p);
}
#undef FUNCTIONS
