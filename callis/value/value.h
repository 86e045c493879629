// SPDX-License-Identifier: Apache-2.0
// The value library: objects that are passed by value (CORBA 3.3 part 1, 4.3 and 9; C++ mapping 1.3, 4.17-4.21).
//
//   value_base.h  CORBA::ValueBase, counting          wire.h     writing and reading values
//   factory.h     what makes values that come in      link.h     what generated code says of a valuetype
//
// A valuetype X with state gives three classes:
//
//     CORBA::ValueBase ◄─ X ◄─ OBV_X ◄─ the application's class, with CORBA::DefaultValueRefCountBase
//                         │      └ state { long a; String_member b; }      a level: plain memory, marshaled by a plan
//                         └ _callis_link() ─→ ValueLink ─→ base's ValueLink
//
// On the wire a value is a tag, its type if the receiver cannot know it, and its state, level by level, all in one
// run through the graph: what occurs again is an offset back to its first occurrence (the scope remembers where).
// Custom and truncatable values, and all within them, come in chunks, so that a receiver can pass over what it does
// not know.
#pragma once
#include <callis/value/custom.h>
#include <callis/value/factory.h>
#include <callis/value/link.h>
#include <callis/value/value_base.h>
#include <callis/value/wire.h>
