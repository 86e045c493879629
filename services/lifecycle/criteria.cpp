// SPDX-License-Identifier: Apache-2.0
#include <services/lifecycle/criteria.h>
#include <sys/random.h>
#include <string_view>

namespace callis::life_cycle {

namespace {

void add(CosLifeCycle::Criteria& to, const CosLifeCycle::NameValuePair& criterion) {
  const CORBA::ULong n = to.length();
  to.length(n + 1);
  to[n] = criterion;
}

CORBA::Any read(const CosLifeCycle::Criteria& criteria, bool makes) {
  CosLifeCycle::Criteria invalid, unmet;
  CORBA::Any initial;
  for (CORBA::ULong i = 0; i < criteria.length(); ++i) {
    const std::string_view name = criteria[i].name.in();
    const bool known = name == "filter" || name == "logical location" || name == "preferences";
    if (name == "initialization" && makes) initial = criteria[i].value;
    else if (known || name == "initialization") add(unmet, criteria[i]);
    else add(invalid, criteria[i]);
  }
  if (invalid.length() != 0) throw CosLifeCycle::InvalidCriteria(invalid);
  if (unmet.length() != 0) throw CosLifeCycle::CannotMeetCriteria(unmet);
  return initial;
}

}  // namespace

CORBA::Any initialization_in(const CosLifeCycle::Criteria& criteria) { return read(criteria, true); }
void check_for_move(const CosLifeCycle::Criteria& criteria) { (void)read(criteria, false); }

std::string new_identity() {
  unsigned char bytes[kIdentityBytes / 2];
  if (::getrandom(bytes, sizeof bytes, 0) != static_cast<ssize_t>(sizeof bytes))
    throw CORBA::NO_RESOURCES(0, CORBA::COMPLETED_NO, "the system has no random number");
  std::string out;
  for (const unsigned char b : bytes) {
    out += "0123456789abcdef"[b >> 4];
    out += "0123456789abcdef"[b & 15];
  }
  return out;
}

}  // namespace callis::life_cycle
