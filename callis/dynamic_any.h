// SPDX-License-Identifier: Apache-2.0
// Module DynamicAny (CORBA 3.3 part 1, 9): values of types that the program learns at run time, taken apart and put
// together. docs/guide/dynamic.md shows their use. Programs that include this link callis::dynamic.
//
// The initial reference "DynAnyFactory" is a DynamicAny::DynAnyFactory, which makes DynAnys of values and of
// TypeCodes. A DynAny has a value of its own, in memory as the mapping lays it out. A component is a place in it:
// what is changed in one is seen in the other. current_component() gives the same DynAny for the same place each
// time.
//
// All DynAnys of one value live as long as somebody counts one of them. destroy() of the outermost one frees the
// value: every operation on it and on its components is OBJECT_NOT_EXIST from then on. destroy() of a component does
// nothing. A component whose place has gone (a sequence has become shorter, a union has another member) is
// OBJECT_NOT_EXIST, until there is such a place again.
//
// Any thread may use the factory; one DynAny with its components is for one thread at a time. Exhausted memory is
// NO_MEMORY.
//
// A valuetype or boxed value has no components: get_val() gives it and insert_val() takes it as a whole, and a copy
// of the DynAny shares it. There are no DynValue and DynValueBox.
#pragma once
#include <callis/base/cxx20.h>
#include <callis/corba.h>

#include <callis/idl/DynamicAny.h>

namespace callis::dynamic {

// Lets ORBs know the initial reference above; done by including this file.
bool use_any();
[[maybe_unused]] static const bool used_any = use_any();

}  // namespace callis::dynamic
