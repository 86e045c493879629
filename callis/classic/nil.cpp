// SPDX-License-Identifier: Apache-2.0
#include <callis/classic/exception.h>
#include <callis/classic/reference.h>

namespace callis::classic {

void call_on_nil() {
  constexpr CORBA::ULong kNilReference = 0x43414089;  // callis/orb/base/minor_codes.h
  raise<CORBA::INV_OBJREF>(kNilReference, CORBA::COMPLETED_NO, "operation on a nil reference");
}

}  // namespace callis::classic
