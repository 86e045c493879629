// SPDX-License-Identifier: Apache-2.0
// The exceptions by which the repository refuses.
#pragma once
#include <callis/corba.h>
#include <callis/orb/base/errors.h>
#include <callis/orb/base/minor_codes.h>
#include <string_view>

namespace callis::ifr {

// The OMG's minor codes of BAD_PARAM.
inline constexpr CORBA::ULong kIdIsThere = 2, kNameIsThere = 3, kWrongContainer = 4, kInheritedName = 5,
                              kNotAbstract = 6, kIncompleteType = 13, kNoName = 15, kNoId = 16, kMemberName = 17,
                              kOneway = 31;
// Of BAD_INV_ORDER.
inline constexpr CORBA::ULong kIsReferredTo = 1, kIndestructible = 2;

// COMPLETED_NO, with the OMG's minor code; 0: none fits. Clients get the text, too.
template<class E>
[[noreturn]] void refuse(CORBA::ULong minor, std::string_view why) {
  throw E(minor == 0 ? 0 : orb::omg(minor), CORBA::COMPLETED_NO, why);
}

}  // namespace callis::ifr
