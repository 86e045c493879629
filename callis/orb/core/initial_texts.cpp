// SPDX-License-Identifier: Apache-2.0
#include <callis/base/text.h>
#include <callis/orb/core/initial.h>

CALLIS_PROVIDE(initial_texts);

namespace callis::orb {

namespace {

// Initial references of libraries that a program may lack.
struct MadeElsewhere {
  const char* id;
  const char* library;
};
constexpr MadeElsewhere kMadeElsewhere[] = {
    {"RTORB", "<callis/rt.h>, callis::rt"},
    {"RTCurrent", "<callis/rt.h>, callis::rt"},
    {"PriorityMappingManager", "<callis/rt.h>, callis::rt"},
    {"RTScheduler", "<callis/rt_scheduling.h>, callis::rt"},
    {"RTScheduler_Current", "<callis/rt_scheduling.h>, callis::rt"},
    {"DynAnyFactory", "<callis/dynamic_any.h>, callis::dynamic"},
    {"CodecFactory", "<callis/interceptors.h>"},
    {"PICurrent", "<callis/interceptors.h>"},
    {"POACurrent", "<callis/portable_server.h>"},
    {"RootPOA", "<callis/portable_server.h>"},
};

}  // namespace

std::string text_of_unknown_id(std::string_view id) {
  if (id.empty()) return "no id of an initial reference was given";
  for (const MadeElsewhere& m : kMadeElsewhere)
    if (id == m.id) return concat({id, " is made by a library that this program does not have: ", m.library});
  return concat({"no initial reference is known by the id ", id, ": -ORBInitRef ", id,
                 "=URI says where it is (URI: IOR:..., corbaloc::host:port/key or corbaname:...)"});
}

void raise_unknown_id(std::string_view id) {
  constexpr const char* kId = "IDL:omg.org/CORBA/ORB/InvalidName:1.0: ";
  throw CORBA::ORB::InvalidName(classic::SharedText::make({kId, Printable(text_of_unknown_id(id))}));
}

}  // namespace callis::orb
