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
// Valuetypes and boxed values are taken apart by the TypeCode in the any, whether the program has classes of them or
// not. A value that occurs several times in a DynAny is one DynValue: current_component() gives the same DynAny at
// each place, what is changed in one is seen in all, and another value (set_to_null(), assign(), insert_val()) takes
// its place everywhere. Copies and anys have copies of all values, which are shared and lead in circles as these do.
//
// A value may be of a type that is derived from its place's. Its components are those of its own type, where the
// TypeCode in the any describes that. Where it does not, the value is truncated if it may be (MustTruncate, with
// create_dyn_any_without_truncation()), else InconsistentTypeCode; or *opaque* where the program has a class of it.
// Custom values are always opaque: they need a class of the program's, have no components (component_count() is 0,
// current_component() is TypeMismatch), and can be taken out by get_val() alone. set_to_value() of a custom or
// abstract valuetype is NO_IMPLEMENT.
//
// insert_val() and get_val() mean the component at the current position, if that is of a valuetype, else this DynAny.
// get_val() gives a new value of the program's class; where there is none, the DynAny's own, which ends with the
// DynAny and is for insert_val() alone. insert_val() copies, but for a value of the same DynAny, which is shared.
// Values that have been replaced stay in memory as long as the DynAny.
#pragma once
#include <callis/base/cxx20.h>
#include <callis/corba.h>

#include <callis/idl/DynamicAny.h>

namespace callis::dynamic {

// For a DynValue or DynValueBox, which may be of a type derived from type(); BAD_PARAM for another DynAny. The last
// two also put a value behind an abstract interface, for its DynAny: of any concrete valuetype, since no TypeCode
// says what supports the interface.
//
// The TypeCode of the value that is there, to be released; nil for a null value and for an opaque one.
CORBA::TypeCode_ptr actual_type(DynamicAny::DynAny_ptr value);
// Puts a new value of that type there, with the defaults of its members. TypeMismatch when it is not derived from
// type(), as far as TypeCodes tell; NO_IMPLEMENT for a custom or abstract valuetype.
void set_to_value_of(DynamicAny::DynAny_ptr value, CORBA::TypeCode_ptr type);
// From now on `to` is the value `from`, another component of the same DynAny: BAD_PARAM for other DynAnys, and when
// `from` is null or opaque. TypeMismatch as above.
void share_value(DynamicAny::DynAny_ptr to, DynamicAny::DynAny_ptr from);

// For a DynAny of an abstract interface, BAD_PARAM for another one: the value behind it, a component; nil where there
// is nil, a reference or an opaque value. Values behind abstract interfaces are taken apart where the TypeCode in the
// any or typecode::type_finder describes their type; else they are opaque, and need a class of the program's.
DynamicAny::DynAny_ptr value_behind(DynamicAny::DynAny_ptr abstract);

// Lets ORBs know the initial reference above; done by including this file.
bool use_any();
[[maybe_unused]] static const bool used_any = use_any();

}  // namespace callis::dynamic
