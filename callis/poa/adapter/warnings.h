// SPDX-License-Identifier: Apache-2.0
// Warnings about what an application has probably not meant: a line of the log, once for each case. Feature
// explanations: programs without it say nothing.
#pragma once
#include <callis/base/feature.h>
#include <callis/poa/adapter/registry.h>
#include <string_view>

CALLIS_FEATURE(warnings);

namespace CORBA::inline callis_orb {
class SystemException;
}

namespace callis::poa {

// Registry::hold() for a request with that key. Where it has waited for a second (servers that start take less), and
// the adapter's manager has been in no state but HOLDING yet, it warns, once for each manager.
CALLIS_OPTIONAL bool hold_and_warn(Registry::Guard& guard, const ParsedKey& key, Deadline deadline);

// While an exception that is none of CORBA's is handled, which has left the servant in that operation. Once for each
// operation and type.
CALLIS_OPTIONAL void warn_of_foreign_exception(std::string_view operation);
// What the client is told then. No details: types and texts are no business of clients.
inline constexpr std::string_view kForeignExceptionText =
    "a C++ exception that is no CORBA exception left the servant: the server's log has its type and text";

// Whether e, which has left the servant in that operation, is the TIMEOUT of a call that the servant has made: the
// ORB has given it its text. Then it warns, once for each operation, and text is what the client is told.
CALLIS_OPTIONAL bool warn_of_nested_timeout(std::string_view operation, const CORBA::SystemException& e,
                                            std::string& text);

}  // namespace callis::poa
