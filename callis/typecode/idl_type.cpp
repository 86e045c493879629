// SPDX-License-Identifier: Apache-2.0
// Alone in its object file: a compiled ir.idl defines CORBA::IDLType, and these.
#include <callis/typecode/create.h>

namespace CORBA::inline callis_orb {

IDLType* callis_duplicate(IDLType* t) { return t; }
void callis_release(IDLType*) {}

}  // namespace CORBA::inline callis_orb
