// SPDX-License-Identifier: Apache-2.0
// orphans: contexts of a naming service of callis that no name leads to, and removing them.
#include <callis/orb/client/reference.h>
#include <tools/ns/commands.h>
#include <cstdio>
#include "CallisNaming.h"

namespace callis::ns {

namespace {

// At the address of the root context. Another ORB's name service has no such object: then a Failure.
CallisNaming::Administration_var administration_of(const Session& session) {
  for (const ior::TaggedProfile& p : session.root()->_callis_reference()->ior().profiles) {
    std::string at;
    if (p.tag == ior::kInternetProfile) {
      const auto profile = ior::parse_iiop(p.data);
      if (!profile) continue;
      const ior::Address& a = profile.value().address;
      const std::string host = a.host.find(':') == std::string::npos ? a.host : "[" + a.host + "]";
      at = "iiop:1.2@" + host + ":" + std::to_string(a.port) + "/";
    } else if (p.tag == ior::kUiopProfile) {
      const auto profile = ior::parse_uiop(p.data);
      if (!profile) continue;
      at = "uiop:1.2@" + profile.value().address.host + "|";
    } else {
      continue;
    }
    try {
      const CORBA::Object_var object =
          session.orb()->string_to_object(("corbaloc:" + at + "naming.administration").c_str());
      CallisNaming::Administration_var out = CallisNaming::Administration::_narrow(object.in());
      if (!CORBA::is_nil(out.in())) return out;
    } catch (const CORBA::OBJECT_NOT_EXIST&) {
    }
    break;
  }
  throw Failure{kCannot, "the name service is none of callis: it does not tell of orphans"};
}

}  // namespace

void orphans(const Session& session, const Arguments& arguments) {
  const CallisNaming::Administration_var administration = administration_of(session);
  if (arguments.remove) {
    CORBA::ULongLong removed = 0;
    while (const CORBA::ULong some = administration->remove_orphans(arguments.older_than_s, arguments.with_bindings))
      removed += some;
    std::printf("%llu removed\n", static_cast<unsigned long long>(removed));
    return;
  }
  constexpr CORBA::ULong kMost = 1'000;
  CORBA::ULongLong all = 0;
  const CallisNaming::OrphanList_var some = administration->orphans(kMost, all);
  for (CORBA::ULong i = 0; i < some->length(); ++i)
    std::printf("%llu bindings, %llu s: %s\n", static_cast<unsigned long long>(some[i].bindings),
                static_cast<unsigned long long>(some[i].age_s),
                shown(session.text_of(some[i].reference.in())).c_str());
  if (some->length() < all) std::printf("and %llu more\n", static_cast<unsigned long long>(all - some->length()));
}

}  // namespace callis::ns
