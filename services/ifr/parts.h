// SPDX-License-Identifier: Apache-2.0
// Arguments of create_... and of attributes that are set, as parts of definitions. With the service's lock held.
#pragma once
#include <services/ifr/service.h>

namespace callis::ifr {

// BAD_PARAM: the value is not of the type, or the type is none of a constant.
std::string constant_bytes(TypeCodes& type_codes, Number type, const CORBA::Any& value);
std::vector<Member> union_parts(Service& service, const CORBA::UnionMemberSeq& members);
std::vector<Initializer> initializer_parts(Service& service, const CORBA::InitializerSeq& initializers);
std::vector<Initializer> initializer_parts(Service& service, const CORBA::ExtInitializerSeq& initializers);

}  // namespace callis::ifr
