// SPDX-License-Identifier: Apache-2.0
// Values and TypeCodes as bytes: as large as they are on the wire, and for stores. Any thread.
#pragma once
#include <callis/corba.h>
#include <callis/orb/context/orb_context.h>
#include <string>
#include <string_view>

namespace callis::properties {

// CDR, little-endian. MARSHAL where the value cannot be sent (an object that never leaves its process).
std::string to_bytes(const CORBA::Any& value);
// False where they are no such bytes. context: of the ORB that references in the value are made by.
bool from_bytes(std::string_view bytes, orb::OrbContext& context, CORBA::Any& value);
// Of to_bytes(), without making them.
std::size_t size_of(const CORBA::Any& value);
// What the value takes in memory, of which size_of() is `bytes`; rather too much: a sequence of short strings takes
// some times what it does on the wire.
std::size_t memory_of(const CORBA::Any& value, std::size_t bytes);

}  // namespace callis::properties
