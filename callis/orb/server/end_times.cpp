// SPDX-License-Identifier: Apache-2.0
#include <callis/ior/policy_values.h>
#include <callis/orb/base/errors.h>
#include <callis/orb/base/utc.h>
#include <callis/orb/options/options.h>
#include <callis/orb/server/end_times.h>

CALLIS_PROVIDE(end_times);

namespace callis::orb {

std::unique_ptr<CORBA::SystemException> refusal_of(const Options& options, ByteView policies) {
  if (options.end_times == EndTimes::Client) return nullptr;
  const auto value = ior::find_policy_value(policies, kRequestEndType, options.limits);
  if (value && value->empty()) return nullptr;
  const std::optional<ior::Moment> end = value ? ior::read_moment(value.value()) : std::nullopt;
  if (!end) {
    const Fault f = value ? Fault::BadEncapsulation : value.fault();
    return exception_of({f, 0, "INVOCATION_POLICIES"}, Step::DecodeRequest);
  }
  if (*end > utc_now()) return nullptr;
  return std::make_unique<CORBA::TIMEOUT>(omg(2), CORBA::COMPLETED_NO);
}

}  // namespace callis::orb
