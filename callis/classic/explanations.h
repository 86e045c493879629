// SPDX-License-Identifier: Apache-2.0
// What exceptions say beyond their names: sentences for minor codes, members of user exceptions. Feature
// explanations: what() of programs without it has names and numbers alone.
#pragma once
#include <callis/base/feature.h>
#include <callis/classic/exception.h>
#include <callis/marshal/descriptor.h>

CALLIS_FEATURE(minor_sentences);
CALLIS_FEATURE(exception_members);

namespace callis::classic {

// What that minor code of the exception with that name means, as docs/guide/minor-codes.md has it; static storage.
// Codes of ORBs other than callis: whose they are. Empty for what is not known, such as the codes of applications.
CALLIS_OPTIONAL std::string_view minor_sentence(std::string_view name, CORBA::ULong minor) noexcept;

// From now on what() of exceptions of e's class has their members: unit.words[entry] describes them. Any thread.
CALLIS_OPTIONAL void note_members(const CORBA::UserException& e, const marshal::Unit& unit,
                                  marshal::Word entry) noexcept;

// "IDL:Bank/Overdrawn:1.0 {"savings", 250}", where the members are known, else the repository id. Valid until the
// calling thread has asked for four more.
CALLIS_OPTIONAL const char* text_of_user_exception(const CORBA::Exception& e) noexcept;

}  // namespace callis::classic
