// SPDX-License-Identifier: Apache-2.0
#include <callis/poa/servant/policy_skeleton.h>

namespace POA_CORBA::inline callis_orb {

namespace {

void get_policy_type(void* self, void* frame) {
  *static_cast<CORBA::PolicyType*>(frame) = static_cast<Policy*>(self)->policy_type();
}
void copy_policy(void* self, void* frame) {
  *static_cast<CORBA::Policy**>(frame) = static_cast<Policy*>(self)->copy();
}
void destroy_policy(void* self, void*) { static_cast<Policy*>(self)->destroy(); }

constexpr const char* kIds[] = {"IDL:omg.org/CORBA/Policy:1.0", nullptr};
constexpr callis::poa::SkeletonOperation kOperations[] = {
    {&destroy_policy, callis::orb::kPolicyDestroy},
    {&get_policy_type, callis::orb::kPolicyType},
    {&copy_policy, callis::orb::kPolicyCopy},
};
constexpr std::uint16_t kDisplacements[] = {1, 65534};
// The order and the hash of the three names, as the compiler finds it for an interface like this one.
constexpr callis::poa::Skeleton kSkeleton = {
    kIds,
    &callis::orb::policy_unit,
    kOperations,
    {4821243773176094933u, 8986880970975364821u, kDisplacements, 3, 1, 1, false},
    nullptr,
    &callis::poa::run_interpreted,
};

}  // namespace

Policy::~Policy() = default;
CORBA::Policy* Policy::_this() {
  return static_cast<CORBA::Policy*>(callis::poa::this_reference(*this, CORBA::callis_link_Policy));
}
const callis::poa::Skeleton& Policy::_callis_skeleton() const { return kSkeleton; }
void* Policy::_callis_self() { return this; }

}  // namespace POA_CORBA::inline callis_orb
