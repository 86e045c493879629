// SPDX-License-Identifier: Apache-2.0
// Initial references that libraries above the ORB provide: "RootPOA", "POACurrent".
//
// A library says once, from a static initialiser, how to make one:
//
//   const bool registered = callis::orb::register_initial_factory("RootPOA", &make_root_adapter);
//
// Put this line into a source file that every user of the library needs, or the linker leaves it out of a static
// build.
#pragma once
#include <callis/base/feature.h>
#include <callis/orb/base/orb.h>
#include <string>
#include <string_view>

CALLIS_FEATURE(initial_texts);

namespace callis::orb {

class Core;

// Called at the first resolve_initial_references(name) of an ORB; the ORB keeps the object until destroy().
// The caller of the factory owns a count of the result. It may throw system exceptions. Factories of one ORB are run
// by one thread at a time, without a lock; a factory may ask for other initial references, also of other ORBs.
using InitialFactory = CORBA::Object_ptr (*)(Core& core);

// name: static storage. Returns true, always.
bool register_initial_factory(const char* name, InitialFactory factory);

// nullptr for none.
InitialFactory find_factory(std::string_view name);
void for_each_factory(void (*f)(void* context, std::string_view name), void* context);

// --- Texts about ids that stand for no initial reference. Part of the feature explanations. ---

// Names the id, and the option that would help.
CALLIS_OPTIONAL std::string text_of_unknown_id(std::string_view id);
// Throws InvalidName with that text.
CALLIS_OPTIONAL [[noreturn]] void raise_unknown_id(std::string_view id);

}  // namespace callis::orb
