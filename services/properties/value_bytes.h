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

}  // namespace callis::properties
