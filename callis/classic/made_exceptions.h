// SPDX-License-Identifier: Apache-2.0
// System exceptions that are made by new. Not in exception.h: generated code includes that and can do without
// <memory>.
#pragma once
#include <callis/classic/exception.h>
#include <memory>

namespace callis::classic {

// A standard exception, by new.
std::unique_ptr<CORBA::SystemException> make_standard(Standard which, CORBA::ULong minor,
                                                      CORBA::CompletionStatus completed);
// The one with that repository id, by new; a CORBA::UNKNOWN with OMG minor 2 for an id that
// is not in the table (CORBA 3.3 part 2, 9.4.3.2).
std::unique_ptr<CORBA::SystemException> make_system_exception(std::string_view repository_id,
                                                              CORBA::ULong minor,
                                                              CORBA::CompletionStatus completed);

}  // namespace callis::classic
