// SPDX-License-Identifier: Apache-2.0
#include <callis/base/text.h>
#include <callis/orb/core.h>
#include <callis/orb/end_times.h>
#include <callis/orb/errors.h>
#include <callis/orb/session.h>
#include <callis/orb/utc.h>

CALLIS_PROVIDE(end_times);

namespace callis::orb {

bool Session::refused_by(ByteView policies, const giop::Message& m, cdr::Decoder& d, Buffer& out) {
  if (core_.options().end_times == EndTimes::Client) return false;
  const auto value = ior::find_policy_value(policies, kRequestEndType, core_.limits());
  if (value && value->empty()) return false;
  const std::optional<ior::Moment> end = value ? ior::read_moment(value.value()) : std::nullopt;
  if (!end) {
    const Fault f = value ? Fault::BadEncapsulation : value.fault();
    return refuse(m, d, out, *exception_of({f, 0, "INVOCATION_POLICIES"}, Step::DecodeRequest)), true;
  }
  if (*end > utc_now()) return false;
  return refuse(m, d, out, CORBA::TIMEOUT(omg(2), CORBA::COMPLETED_NO)), true;
}

}  // namespace callis::orb
