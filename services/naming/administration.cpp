// SPDX-License-Identifier: Apache-2.0
#include <services/naming/administration.h>
#include <services/naming/orphans.h>
#include <algorithm>

namespace callis::naming {

namespace {

// Beyond a hundred years nothing is as old.
constexpr CORBA::ULongLong kMostSeconds = 100ull * 365 * 86'400;

}  // namespace

CallisNaming::OrphanList* Administration::orphans(CORBA::ULong how_many, CORBA::ULongLong& all) {
  services::OperationTime time(kLongest);
  const Model::Time now = std::chrono::steady_clock::now();
  const Orphans found = find_orphans(directory_.model(), std::min(how_many, kMost), now, false, time);
  CallisNaming::OrphanList_var out = new CallisNaming::OrphanList;
  out->length(static_cast<CORBA::ULong>(found.some.size()));
  for (CORBA::ULong i = 0; i < out->length(); ++i) {
    const auto& from = found.some[i];
    out[i].reference = CosNaming::NamingContext::_unchecked_narrow(references_.context(from.number).in());
    out[i].bindings = from.bindings;
    out[i].age_s =
        static_cast<CORBA::ULongLong>(std::chrono::duration_cast<std::chrono::seconds>(now - from.since).count());
  }
  all = found.all;
  return out._retn();
}

CORBA::ULong Administration::remove_orphans(CORBA::ULongLong older_than_s, CORBA::Boolean with_bindings) {
  if (readonly_)
    throw CORBA::NO_PERMISSION(0, CORBA::COMPLETED_NO, "this naming service was started with --readonly");
  services::OperationTime time(kLongest);
  const std::chrono::seconds older(std::min(older_than_s, kMostSeconds));
  return answered([&] {
    return static_cast<CORBA::ULong>(
        naming::remove_orphans(directory_, kMost, std::chrono::steady_clock::now() - older, with_bindings, time));
  });
}

}  // namespace callis::naming
