// SPDX-License-Identifier: Apache-2.0
// Other adapters than the root: making, finding and listing them. With what hangs into adapters (adapter_managers.cpp) and
// what only their policies ask for (rare_dispatch.cpp) this is the feature adapters.
#include <callis/orb/api/exposed_policies.h>
#include <callis/orb/core/interception.h>
#include <callis/orb/object/policy.h>
#include <callis/poa/adapter/adapter.h>
#include <callis/poa/adapter/adapter_making.h>
#include <callis/poa/servant/minor_codes.h>
#include <callis/poa/adapter/upcall.h>

CALLIS_PROVIDE(adapters);

namespace callis::poa {

using namespace PortableServer;

POA_ptr Adapter::create_POA(const char* name, POAManager_ptr manager, const CORBA::PolicyList& list) {
  if (!name) raise<CORBA::BAD_PARAM>(kNilArgument, CORBA::COMPLETED_NO);
  Policies policies;
  orb::Interception* const interception = registry_->references().interception();
  if (const auto bad = read_policies(list, policies, registry_->options().main_thread != nullptr, interception))
    throw InvalidPolicy(*bad);
  const classic::ReferenceVar<Manager> mine(
      manager ? duplicate_local(dynamic_cast<Manager*>(manager)) : new Manager(registry_));
  if (!mine.in() || mine.in()->registry() != registry_)
    raise<CORBA::BAD_PARAM>(kNilArgument, CORBA::COMPLETED_NO, "a POAManager of another ORB");

  const classic::ReferenceVar<Adapter> child(new Adapter(registry_, this, name, *mine.in(), policies));
  if (const auto* const known = orb::ExposedPolicies::get()) child.in()->exposed_ = known->note(list);
  child.in()->tell_interceptors(&list);
  Guard guard(*registry_);
  for (;;) {
    check_not_gone();
    if (destroying_) raise<CORBA::BAD_INV_ORDER>(orb::omg(17), CORBA::COMPLETED_NO);
    Adapter* const* other = children_.find(name);
    if (!other) break;
    if (!(*other)->destroying_) raise<AdapterAlreadyExists>();
    if (in_upcall_of(*registry_)) raise<CORBA::BAD_INV_ORDER>(orb::omg(3), CORBA::COMPLETED_NO);
    guard.wait();
  }
  if (!manager)
    while (registry_->find_manager(mine.in()->id())) mine.in()->choose_other_id();
  Adapter*& place = children_.insert(name, nullptr);
  try {
    AdapterMaking::note(*child.in());
    if (!child.in()->enroll()) raise<CORBA::NO_RESOURCES>(kTooManyAdapters, CORBA::COMPLETED_NO);
  } catch (...) {
    children_.erase(name);
    throw;
  }
  place = duplicate_local(child.in());
  registry_->notify();
  guard.unlock();
  if (policies.bidirectional) registry_->references().go_bidirectional();
  return duplicate_local(child.in());
}

POA_ptr Adapter::find_POA(const char* name, CORBA::Boolean activate_it) {
  if (!name) raise<CORBA::BAD_PARAM>(kNilArgument, CORBA::COMPLETED_NO);
  {
    Guard guard(*registry_);
    check_not_gone();
    Adapter* const* child = children_.find(name);
    if (child && !(*child)->destroying_) return duplicate_local(*child);
  }
  if (activate_it) await_end_of(name);
  Adapter* made = activate_it ? find_or_activate(name) : nullptr;
  if (!made) raise<AdapterNonExistent>();
  return made;
}

POAList* Adapter::the_children() {
  auto list = std::make_unique<POAList>();
  Guard guard(*registry_);
  check_not_gone();
  list->length(static_cast<CORBA::ULong>(children_.size()));
  CORBA::ULong n = 0;
  children_.for_each([&](const std::string&, Adapter* child) {
    if (!child->destroying_) (*list)[n++] = duplicate_local<POA>(child);
  });
  list->length(n);
  return list.release();
}

POAManagerFactory_ptr Adapter::the_POAManagerFactory() {
  Guard guard(*registry_);
  check_not_gone();
  return new ManagerFactory(registry_);
}

Adapter* Adapter::child(std::string_view name) {
  Adapter* const* child = children_.find(name);
  return child ? *child : nullptr;
}

// The last adapter on that path that exists.
Adapter* Registry::nearest(ByteView path) {
  Adapter* at = root;
  PathReader names(path);
  for (std::string_view name; at && names.next(name);) {
    Adapter* const child = at->child(name);
    if (!child) break;
    at = child;
  }
  return at;
}

bool Registry::activate_path(ByteView path) {
  const std::lock_guard one_at_a_time(activation_);
  classic::ReferenceVar<Adapter> at;
  {
    Guard guard(*this);
    at = duplicate_local(root);
  }
  PathReader names(path);
  std::string_view name;
  while (at.in() && names.next(name)) at = at.in()->find_or_activate(std::string(name));
  return at.in() != nullptr;
}

}  // namespace callis::poa
