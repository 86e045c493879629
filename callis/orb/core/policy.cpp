// SPDX-License-Identifier: Apache-2.0
#include <callis/orb/base/policy.h>

namespace callis::orb {

namespace {

using namespace marshal;

constexpr Word kWords[] = {
    op_word(0, 0), 0,  16 | 0u << 16, type_word(Kind::ULong),      // kPolicyType
    op_word(0, 0), 17, 4 | 1u << 16,  type_word(Kind::ObjRef, 0),  // kPolicyCopy
    op_word(0, 0), 22, 7 | 2u << 16,  type_word(Kind::Void),       // kPolicyDestroy
};
constexpr char kNames[] = "_get_policy_type\0copy\0destroy";
constexpr const void* kLinks[] = {&CORBA::callis_link_Policy};
PlanCell cells[3];

}  // namespace

const Unit policy_unit = {kWords, kNames, kLinks, cells};

}  // namespace callis::orb

namespace CORBA::inline callis_orb {

const callis::orb::InterfaceLink callis_link_Policy = {"IDL:omg.org/CORBA/Policy:1.0", &Policy::_callis_create,
                                                       &Policy::_callis_object};

Policy* callis_duplicate(Policy* p) {
  Object::_duplicate(p);
  return p;
}
void callis_release(Policy* p) { release(p); }
Current* callis_duplicate(Current* p) {
  Object::_duplicate(p);
  return p;
}
void callis_release(Current* p) { release(p); }

Policy::Policy(callis::orb::Reference* r) : Object(r) {}
Policy::~Policy() = default;
void* Policy::_callis_create(callis::orb::Reference* r) { return new Policy(r); }
Object* Policy::_callis_object(void* p) { return static_cast<Policy*>(p); }

Policy_ptr Policy::_narrow(Object_ptr p) {
  if (auto* known = dynamic_cast<Policy*>(p)) return callis_duplicate(known);
  return static_cast<Policy*>(callis::orb::narrow(p, callis_link_Policy));
}
Policy_ptr Policy::_unchecked_narrow(Object_ptr p) {
  if (auto* known = dynamic_cast<Policy*>(p)) return callis_duplicate(known);
  return static_cast<Policy*>(callis::orb::unchecked_narrow(p, callis_link_Policy));
}

PolicyType Policy::policy_type() {
  PolicyType result = 0;
  callis::orb::invoke(this, callis::orb::policy_unit, callis::orb::kPolicyType, &result);
  return result;
}
Policy_ptr Policy::copy() {
  Policy_ptr result = nullptr;
  callis::orb::invoke(this, callis::orb::policy_unit, callis::orb::kPolicyCopy, &result);
  return result;
}
void Policy::destroy() { callis::orb::invoke(this, callis::orb::policy_unit, callis::orb::kPolicyDestroy, nullptr); }

}  // namespace CORBA::inline callis_orb
