// SPDX-License-Identifier: Apache-2.0
// Policies of references (CORBA 3.0.3, 4.3.8 and 4.3.9).
#include <callis/orb/base/errors.h>
#include <callis/orb/base/policy_management.h>
#include <callis/orb/client/locate.h>
#include <callis/orb/client/read_policies.h>
#include <callis/orb/client/steering.h>
#include <callis/orb/context/orb_context.h>
#include <callis/orb/core/exposed_policies.h>
#include <callis/orb/core/object_of.h>
#include <callis/orb/core/policy_overrides.h>

namespace CORBA::inline callis_orb {

using namespace callis::orb;

Object_ptr Object::_set_policy_overrides(const PolicyList& policies, SetOverrideType set_add) {
  Reference& r = reference_of(this);
  r.orb().check_running();
  const auto overrides = PolicyOverrides::make(overrides_of(r), policies, set_add);
  Counted<Overrides> kept(overrides->empty() ? nullptr : overrides.get());
  const auto made = ReferencePtr::adopt(new Reference(r.orb(), callis::ior::Ior(r.ior()), std::move(kept), r.from()));
  if (auto moved = r.permanent()) made->set_permanent(std::move(moved));
  if (auto forward = r.forward(); forward && !made->is_permanent(forward.get()))
    made->set_forward(std::move(forward));
  made->set_addressing(r.addressing());
  made->set_bound(r.bound());
  made->prefer(r.preferred());
  return make_object(*made);
}

PolicyList* Object::_get_policy_overrides(const PolicyTypeSeq& types) {
  return PolicyOverrides::list(overrides_of(reference_of(this)), types);
}

Policy_ptr Object::_get_client_policy(PolicyType type) {
  Reference& r = reference_of(this);
  const PolicyOverrides* const own = overrides_of(r);
  if (const Policy_ptr found = own ? own->find(type) : nullptr) return Policy::_duplicate(found);
  return find_policy(r.orb(), type);
}

namespace {

callis::Deadline call_deadline(Reference& r) { return callis::Deadline::in(r.orb().limits().call_timeout); }

// The policy value that r's current server allows.
std::optional<std::uint64_t> carried_now(const Reference& r, const ExposedPolicy& e) {
  const ReferencePtr to = r.forward();
  return carried_policy(to ? *to : r, e);
}

// The policy in force for a call that is made now: own, as far as the server lets it (4.3.8.1).
Policy_ptr effective(Reference& r, const ExposedPolicy& e, const ExposedPolicies& known, Policy_var own) {
  (void)locate(r, call_deadline(r));  // binds
  const auto carried = carried_now(r, e);
  if (!carried) return own._retn();
  const auto* const number = dynamic_cast<const NumberPolicy*>(own.in());
  const auto both = number ? reconciled(e, number->number(), *carried) : carried;
  if (!both) raise<INV_POLICY>(omg(1), COMPLETED_NO, "the server's policies allow none of what is set");
  return known.make(e.type, *both);
}

}  // namespace

Policy_ptr Object::_get_policy(PolicyType type) {
  reference_of(this).orb().check_running();
  const ExposedPolicies* const known = ExposedPolicies::get();
  if (const ExposedPolicy* const e = known ? find_exposed(type) : nullptr)
    return effective(reference_of(this), *e, *known, _get_client_policy(type));
  if (const Policy_ptr found = _get_client_policy(type)) return found;
  if (!find_policy_factory(type))
    raise<INV_POLICY>(omg(2), COMPLETED_NO, "no policy of that type is known here");
  if (!known || !known->carried) return nullptr;
  Reference& r = reference_of(this);
  (void)locate(r, call_deadline(r));  // binds
  const ReferencePtr to = r.forward();
  return known->carried(to ? *to : r, type);
}

Boolean Object::_validate_connection(PolicyList_out inconsistent_policies) {
  Reference& r = reference_of(this);
  r.orb().check_running();
  r.set_bound(false);
  PolicyList_var inconsistent = new PolicyList;
  const auto add = [&](const Policy_var& policy) {
    inconsistent->length(inconsistent->length() + 1);
    inconsistent[inconsistent->length() - 1] = policy;
  };
  try {
    if (locate(r, call_deadline(r)) == Located::Unknown)
      raise<OBJECT_NOT_EXIST>(0, COMPLETED_NO, "the server knows no such object");
    r.set_bound(true);
  } catch (const INV_POLICY& thrown) {
    if (const PolicyType refused = steering() ? steering()->type_refused_with(thrown.minor()) : 0) {
      const Policy_var own = _get_client_policy(refused);
      if (own.in()) add(own);  // otherwise the reference says it
    }
    for (const ExposedPolicy& e : kExposedPolicies) {
      const Policy_var own = _get_client_policy(e.type);
      const auto* const number = dynamic_cast<const NumberPolicy*>(own.in());
      const auto carried = number ? carried_now(r, e) : std::nullopt;
      if (!carried || reconciled(e, number->number(), *carried)) continue;
      add(own);
    }
  }
  inconsistent_policies = inconsistent._retn();
  return r.bound();
}

}  // namespace CORBA::inline callis_orb
