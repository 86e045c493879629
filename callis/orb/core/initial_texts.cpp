// SPDX-License-Identifier: Apache-2.0
#include <callis/base/text.h>
#include <callis/orb/core/initial_texts.h>

CALLIS_PROVIDE(initial_texts);

namespace callis::orb {

std::string text_of_unknown_id(std::string_view id) {
  if (id.empty()) return "no id of an initial reference was given";
  return concat({"no initial reference is known by the id ", id, ": -ORBInitRef ", id,
                 "=URI says where it is (URI: IOR:..., corbaloc::host:port/key or corbaname:...)"});
}

void raise_unknown_id(std::string_view id) {
  constexpr const char* kId = "IDL:omg.org/CORBA/ORB/InvalidName:1.0: ";
  throw CORBA::ORB::InvalidName(classic::SharedText::make({kId, Printable(text_of_unknown_id(id))}));
}

}  // namespace callis::orb
