// SPDX-License-Identifier: Apache-2.0
// Types and values of properties as text, and back.
#pragma once
#include <callis/corba.h>
#include <tools/trade/arguments.h>
#include <optional>
#include <string>

namespace callis::trade {

// "long", "unsigned short", "sequence<string>" ...; nil: it is no such type.
CORBA::TypeCode_var type_of(const std::string& text);
// The same of a type, where type_of() can read it; otherwise "(its repository id)" or the like.
std::string to_text(CORBA::TypeCode_ptr type);

// A value of that type: a number, TRUE or FALSE, a text without quotes, several with commas between them for a
// sequence. type nil: a number, TRUE, FALSE, or else a text. Throws Failure{kWrongUsage}.
CORBA::Any value_of(CORBA::TypeCode_ptr type, const std::string& text);
// As the constraint language has it: 5, 2.5, TRUE, 'a text'; sequences as (1, 2). dynamic: how it is asked for.
std::string to_text(const CORBA::Any& value);
std::string to_json(const CORBA::Any& value);

}  // namespace callis::trade
