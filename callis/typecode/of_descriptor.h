// SPDX-License-Identifier: Apache-2.0
// TypeCodes made from descriptors (callis/marshal/descriptor.h), for whoever has the tables of an operation and wants
// to put what it takes into an Any. Tables hold no names, so these TypeCodes tell structure: structs, unions and
// enums have no repository ids, members and enumerators no names, and there are no aliases. Interfaces, values and
// exceptions have their ids, and the last part of the id as name. TypeCode::equivalent, and so extraction from an
// Any, finds them the same as those of the IDL file, with two exceptions: an array of several dimensions is one of as
// many elements, and a union's labels are in the order of its members, those of one member ascending.
#pragma once
#include <callis/marshal/descriptor.h>
#include <callis/typecode/type_code.h>

namespace callis::typecode {

// For the caller to release. type: a type word of the unit's (its direction does not matter), or of a Ref to an
// exception. NO_MEMORY.
CORBA::TypeCode_ptr type_of_descriptor(const marshal::Unit& unit, marshal::Word type);

}  // namespace callis::typecode
