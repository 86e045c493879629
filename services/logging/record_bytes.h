// SPDX-License-Identifier: Apache-2.0
// Records as an archive has them: `info` is an any in CDR, `attributes` a list of names and such anys; empty where
// there are none. Any thread.
#pragma once
#include <services/logging/archive.h>
#include "DsLogAdmin.h"

namespace callis::orb {
class OrbContext;
}

namespace callis::logs {

// MARSHAL: a value that cannot be sent.
std::string bytes_of(const CORBA::Any& info);
std::string bytes_of(const DsLogAdmin::NVList& attributes);
// What cannot be read is left empty, and logged as an error.
void read(std::string_view bytes, orb::OrbContext& context, CORBA::Any& info);
void read(std::string_view bytes, orb::OrbContext& context, DsLogAdmin::NVList& attributes);
// The bytes of the value of that name; nothing: there is none.
std::optional<std::string_view> attribute_in(std::string_view attributes, std::string_view name);
DsLogAdmin::LogRecord record_of(const Row& row, orb::OrbContext& context);

}  // namespace callis::logs
