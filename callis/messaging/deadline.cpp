// SPDX-License-Identifier: Apache-2.0
#include <callis/deadline.h>
#include <callis/messaging/make_policy.h>
#include <callis/orb/base/minor_codes.h>
#include <callis/orb/core/policy_overrides.h>

namespace callis {
namespace {

CORBA::Policy_var policy_of(std::chrono::nanoseconds limit) {
  constexpr std::int64_t kNanosecondsOfUnit = 100;
  const std::int64_t ns = limit.count();
  // 0 would be no limit; a limit of one unit is over before a call begins.
  const std::int64_t units = ns <= 0 ? 1 : (ns - 1) / kNanosecondsOfUnit + 1;
  return messaging::make_roundtrip_timeout(static_cast<TimeBase::TimeT>(units));
}

}  // namespace

namespace messaging {

CORBA::Object_ptr with_deadline(CORBA::Object_ptr object, std::chrono::nanoseconds limit) {
  if (!object) orb::raise<CORBA::INV_OBJREF>(orb::kNilReference, CORBA::COMPLETED_NO, "deadline: a nil reference");
  CORBA::PolicyList policies;
  policies.length(1);
  policies[0] = policy_of(limit)._retn();
  return object->_set_policy_overrides(policies, CORBA::ADD_OVERRIDE);
}

}  // namespace messaging

struct ThreadDeadline::State {
  orb::ThreadPolicyScope scope;
};

ThreadDeadline::ThreadDeadline(std::chrono::nanoseconds limit)
    : state_(new State{orb::ThreadPolicyScope(policy_of(limit))}) {}
ThreadDeadline::~ThreadDeadline() = default;

}  // namespace callis
