// SPDX-License-Identifier: Apache-2.0
// Parts of the log's lines that client and server share.
#pragma once
#include <callis/base/bytes.h>
#include <callis/base/clock.h>
#include <string>

namespace CORBA::inline callis_orb {
class Exception;
}

namespace callis::orb {

// An object key as text: printable characters as they are, others as corbaloc URLs write them. Long keys are cut.
std::string short_key(ByteView key);
// "1.234 ms"
std::string time_since(TimePoint began);
// "user exception ..." or "system exception ...", with the exception's what().
std::string outcome_of(const CORBA::Exception& e);

}  // namespace callis::orb
