// SPDX-License-Identifier: Apache-2.0
#include "repository.h"
#include <callis/orb/core/interface_def.h>  // adds nothing
#include "interface_def.h"

namespace compiled {
#include "interface_def.inc"

bool has_operations(CORBA::InterfaceDef_ptr p) {
  return dynamic_cast<CORBA::Contained*>(CORBA::Object_ptr{p}) == static_cast<CORBA::Contained*>(p);
}
}  // namespace compiled
