// SPDX-License-Identifier: Apache-2.0
// Anys whose valuetypes are taken apart by their TypeCodes, whether the program has classes of them or not
// (callis/value/described_graph.h): what DynAny and other readers without generated code work on.
#pragma once
#include <callis/base/fault.h>
#include <callis/typecode/any.h>
#include <callis/typecode/plan_of.h>
#include <callis/value/described_graph.h>
#include <vector>

namespace callis::typecode {

// Whether values of the type hold valuetypes or abstract interfaces; anys are not looked into. As plan_of().
bool holds_values(const CORBA::TypeCode& type);
// The plan for values in memory whose valuetypes are described ones. As plan_of(); the same where there are none.
const marshal::Plan& described_plan_of(const CORBA::TypeCode& type);
// The link by which described values of a valuetype or box are made; nullptr for CORBA::ValueBase. It belongs to the
// TypeCode behind aliases. As plan_of().
const value::ValueLink* described_link(const CORBA::TypeCode& type);
// The TypeCode that a described value's link was made of; lives as long as the link.
const CORBA::TypeCode& type_of(const value::ValueLink& link);

// An Any that has come from elsewhere, as one of type `as` whose valuetypes are described, and where that has its
// value. Nothing is copied where the Any has it in that form already, as one has that was received and whose
// valuetypes are not known to the program. truncates: whether a part of a value that its TypeCode does not know
// may be cut off, where the value allows that. context: the ORB of references, where the Any knows none.
// memory is nullptr, and there is a fault, for what is no value of the type (NoValueFactory: something would have
// to be cut off), and for exhausted memory. Throws std::bad_alloc.
CORBA::Any describe(const CORBA::Any& any, CORBA::TypeCode_ptr as, bool truncates, void* context,
                    const void*& memory, Fault& fault);
// The same for several, each of its own type, in place; those without valuetypes are left alone. Values that occur in
// several stay one. A fault: some may have been done.
Fault describe_all(std::vector<CORBA::Any>& anys, bool truncates, void* context);

// From now on the references in what the program has put into an Any are of that ORB, which makes them anew for
// whoever extracts the value as of another class. Does nothing where there are none, or their ORB is known already.
void belongs_to(CORBA::Any& any, void* orb);

// Puts into an Any what `fill` makes in zeroed memory of the described plan. kept: DescribedGraph::keep(), taken
// over.
// Where fill returns false: NO_MEMORY. orb: the ORB of references, should a class of the program's be made of it.
void insert_described(CORBA::Any& any, CORBA::TypeCode_ptr type, bool (*fill)(void* context, void* memory),
                      void* context, void* kept, void* orb);

// Valuetypes that a program knows without classes, from IDL files say: by repository id the TypeCode, which lives as
// long as the process; nullptr where there is none. For values whose type is derived from what the any's TypeCode
// says.
// Set before the ORB is used.
using TypeFinder = CORBA::TypeCode_ptr (*)(std::string_view repository_id);
inline constinit TypeFinder type_finder = nullptr;

// For value::DescribedCopy.
extern const value::AnysWithin anys_within;
// An Any that was copied out of described memory, which may end before it: it gets values of its own, where it holds
// some. The second does so for the Anys in memory of that type. NO_MEMORY.
void make_standalone(CORBA::Any& any);
void make_standalone(const CORBA::TypeCode& type, void* memory);

}  // namespace callis::typecode
