// SPDX-License-Identifier: Apache-2.0
// Administration: what an operator asks of a naming service (CallisNaming.idl). All of its operations are of the
// group `admin`. Any thread.
#pragma once
#include <services/naming/context_servant.h>
#include "CallisNaming_skel.h"

namespace callis::naming {

class Administration final : public POA_CallisNaming::Administration {
 public:
  static constexpr const char* kKey = "naming.administration";
  static constexpr CORBA::ULong kMost = 1'000;        // orphans of one call
  static constexpr std::chrono::seconds kLongest{10};  // one operation

  Administration(Directory& directory, const References& references, bool readonly)
      : directory_(directory), references_(references), readonly_(readonly) {}

  CallisNaming::OrphanList* orphans(CORBA::ULong how_many, CORBA::ULongLong& all) override;
  CORBA::ULong remove_orphans(CORBA::ULongLong older_than_s, CORBA::Boolean with_bindings) override;

 private:
  Directory& directory_;
  const References& references_;
  const bool readonly_;
};

}  // namespace callis::naming
