// SPDX-License-Identifier: Apache-2.0
// The making of policies (CORBA 3.0.3, 4.8.2). This code stands apart from the readers of policies, so that adapters,
// whose policies are made here, link no more than this.
#include <callis/orb/base/errors.h>
#include <callis/orb/base/policy_management.h>
#include <callis/orb/core/core.h>
#include <callis/orb/core/interception.h>

namespace callis::orb {
namespace {

// Never let go: static initialisers make them.
struct OfType {
  bool (*makes)(CORBA::PolicyType);
  PolicyFactory make;
  OfType* next;
};
constinit std::atomic<OfType*> of_types{nullptr};

}  // namespace

PolicyFactory find_policy_factory(CORBA::PolicyType type) {
  for (const OfType* f = of_types.load(std::memory_order_acquire); f; f = f->next)
    if (f->makes(type)) return f->make;
  return nullptr;
}

bool register_policy_factory(bool (*makes)(CORBA::PolicyType), PolicyFactory factory) {
  auto* f = new OfType{makes, factory, of_types.load(std::memory_order_relaxed)};
  while (!of_types.compare_exchange_weak(f->next, f, std::memory_order_acq_rel)) {
  }
  return true;
}

}  // namespace callis::orb

namespace CORBA::inline callis_orb {

using namespace callis::orb;

Policy_ptr ORB::create_policy(PolicyType type, const Any& value) {
  check_usable();
  Core& core = *static_cast<Core*>(this);
  core.check_running();
  if (Interception* const own = core.interception())
    if (const Policy_ptr made = own->create_policy(type, value)) return made;
  const PolicyFactory make = find_policy_factory(type);
  if (!make) throw PolicyError(BAD_POLICY);
  return make(type, value);
}

}  // namespace CORBA::inline callis_orb
