// SPDX-License-Identifier: Apache-2.0
// Warnings about things that an application has probably not meant: a line of the log, once for each case. Programs
// without the feature explanations say nothing.
#pragma once
#include <callis/base/feature.h>
#include <callis/poa/adapter/registry.h>
#include <string_view>

CALLIS_FEATURE(warnings);

namespace CORBA::inline callis_orb {
class SystemException;
}

namespace callis::poa {

// Calls Registry::hold() for a request with that key. Warns, once for each manager, if the request has waited for a
// second and the manager has never left HOLDING. (A server that starts takes less.)
CALLIS_OPTIONAL bool hold_and_warn(Registry::Guard& guard, const ParsedKey& key, Deadline deadline);

// Called while an exception that is not CORBA's is handled. The exception has left the servant in that operation.
// Warns once for each operation and type.
CALLIS_OPTIONAL void warn_of_foreign_exception(std::string_view operation);
// The text for the client in this case. It gives no details: types and texts are no business of clients.
inline constexpr std::string_view kForeignExceptionText =
    "a C++ exception that is no CORBA exception left the servant: the server's log has its type and text";

// Whether e, which has left the servant in that operation, is the TIMEOUT of a call that the servant has made; the
// ORB's own text tells. If so, warns once for each operation, and sets text for the client.
CALLIS_OPTIONAL bool warn_of_nested_timeout(std::string_view operation, const CORBA::SystemException& e,
                                            std::string& text);

}  // namespace callis::poa
