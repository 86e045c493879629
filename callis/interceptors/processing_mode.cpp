// SPDX-License-Identifier: Apache-2.0
// ProcessingModePolicy says which calls interceptors hear of (CORBA 3.3 part 1, chapter 16).
#include <callis/interceptors/orb_interceptors.h>
#include <callis/orb/base/policy_management.h>
#include <utility>

namespace callis::interceptors {
namespace {

namespace PI = PortableInterceptor;

class ModePolicy final : public virtual PI::ProcessingModePolicy {
 public:
  explicit ModePolicy(PI::ProcessingMode mode) : mode_(mode) {}
  PI::ProcessingMode processing_mode() override { return mode_; }
  CORBA::PolicyType policy_type() override { return PI::PROCESSING_MODE_POLICY_TYPE; }
  CORBA::Policy_ptr copy() override { return new ModePolicy(mode_); }
  void destroy() override {}

 private:
  const PI::ProcessingMode mode_;
};

bool makes(CORBA::PolicyType type) { return type == PI::PROCESSING_MODE_POLICY_TYPE; }

CORBA::Policy_ptr make(CORBA::PolicyType, const CORBA::Any& value) {
  PI::ProcessingMode mode = 0;
  if (!(value >>= mode)) throw CORBA::PolicyError(CORBA::BAD_POLICY_TYPE);
  if (mode < PI::LOCAL_AND_REMOTE || mode > PI::LOCAL_ONLY) throw CORBA::PolicyError(CORBA::BAD_POLICY_VALUE);
  return new ModePolicy(mode);
}

// Calls within an ORB are served by the thread that makes them.
thread_local const orb::Core* t_own_call = nullptr;

}  // namespace

bool use_processing_mode() { return orb::register_policy_factory(&makes, &make); }

PI::ProcessingMode processing_mode(const CORBA::PolicyList& policies) {
  if (policies.length() == 0) return PI::LOCAL_AND_REMOTE;
  const PI::ProcessingModePolicy_var mode = PI::ProcessingModePolicy::_narrow(policies[0u]);
  if (policies.length() != 1 || CORBA::is_nil(mode.in())) throw CORBA::PolicyError(CORBA::BAD_POLICY);
  return mode->processing_mode();
}

const orb::Core* note_own_call(const orb::Core* core) noexcept { return std::exchange(t_own_call, core); }
bool take_own_call(const orb::Core& core) noexcept { return std::exchange(t_own_call, nullptr) == &core; }

}  // namespace callis::interceptors
