// SPDX-License-Identifier: Apache-2.0
// A naming context as a list.
#pragma once
#include <callis/corba.h>
#include <tools/call/texts.h>

namespace callis::tools {

inline constexpr unsigned kMostBindings = 2000;  // of a context that are shown

// Whether the object says, by its reference or when it is asked, that it is one. System exceptions.
bool is_naming_context(CORBA::Object_ptr object);

// {"bindings": [{"name": "shop.dir", "component": [ID, KIND], "context": true}, ...], "more": false}, sorted by name,
// contexts first. The name is in the form of stringified names; ID and KIND are base64 of its bytes. System
// exceptions.
Json bindings(CORBA::Object_ptr context);

// The object of that component; nil where it is bound to nil. Throws WrongJson for what is no component of
// bindings(), user and system exceptions.
CORBA::Object_var resolve(CORBA::Object_ptr context, const Json& component);

}  // namespace callis::tools
