// SPDX-License-Identifier: Apache-2.0
// Other adapters than the root: making, finding and listing them, also by AdapterActivators.
#include <callis/orb/base/policy.h>
#include <callis/orb/context/upcall.h>
#include <callis/orb/core/exposed_policies.h>
#include <callis/orb/core/interception.h>
#include <callis/orb/server/main_thread.h>
#include <callis/poa/adapter/adapter.h>
#include <callis/poa/adapter/adapter_making.h>
#include <callis/poa/adapter/manager_factory.h>
#include <callis/poa/adapter/turn.h>
#include <callis/poa/servant/minor_codes.h>

CALLIS_PROVIDE(adapters);

namespace callis::poa {

using namespace PortableServer;

ChildAdapters* ChildAdapters::make(Adapter& parent) { return new ChildAdapters(parent); }

ChildAdapters::ChildAdapters(Adapter& parent) : adapter_(parent), registry_(parent.registry()) {}

ChildAdapters::~ChildAdapters() = default;

namespace {

// Takes the adapter back out of the registry, unless it has been made.
struct Enrolled {
  Adapter* adapter;
  Registry::Guard& guard;
  bool keeps_manager;
  ~Enrolled() {
    if (!adapter) return;
    guard.unlock();  // an interceptor may have thrown without the lock
    Registry::Guard own(adapter->registry());
    adapter->registry().withdraw(*adapter, keeps_manager);
  }
};

}  // namespace

void ChildAdapters::await_place(Registry::Guard& guard, const char* name) const {
  for (;;) {
    adapter_.check_not_gone();
    if (adapter_.destroying()) raise<CORBA::BAD_INV_ORDER>(orb::omg(17), CORBA::COMPLETED_NO);
    Adapter* const* other = children_.find(name);
    if (!other) return;
    if (!(*other)->destroying()) raise<POA::AdapterAlreadyExists>();
    if (in_upcall_of(registry_)) raise<CORBA::BAD_INV_ORDER>(orb::omg(3), CORBA::COMPLETED_NO);
    guard.wait();
  }
}

POA_ptr ChildAdapters::create(const char* name, POAManager_ptr manager, const CORBA::PolicyList& list) {
  if (!name) raise<CORBA::BAD_PARAM>(kNilArgument, CORBA::COMPLETED_NO);
  Policies policies;
  orb::Interception* const interception = registry_.references().interception();
  if (const auto bad = read_policies(list, policies, registry_.options().main_thread != nullptr, interception))
    throw POA::InvalidPolicy(*bad);
  const classic::ReferenceVar<Manager> mine(manager ? duplicate_local(dynamic_cast<Manager*>(manager))
                                                    : new Manager(registry_));
  if (!mine.in() || &mine.in()->registry() != &registry_)
    raise<CORBA::BAD_PARAM>(kNilArgument, CORBA::COMPLETED_NO, "a POAManager of another ORB");

  const classic::ReferenceVar<Adapter> child(new Adapter(registry_, &adapter_, name, *mine.in(), policies));
  if (const auto* const known = orb::ExposedPolicies::get()) {
    const orb::MainThread* const main_thread = registry_.options().main_thread;
    child.in()->expose(known->note(list, main_thread ? &main_thread->orb() : nullptr));
  }
  Registry::Guard guard(registry_);
  await_place(guard, name);
  if (!manager)
    while (registry_.find_manager(mine.in()->id())) mine.in()->choose_other_id();
  AdapterMaking::note(*child.in());
  if (!child.in()->enroll()) raise<CORBA::NO_RESOURCES>(kTooManyAdapters, CORBA::COMPLETED_NO);
  Enrolled enrolled{child.in(), guard, manager != nullptr};
  child.in()->tell_interceptors(guard, &list);
  await_place(guard, name);  // again: the lock was given up
  Adapter*& place = children_.insert(name, nullptr);
  try {
    registry_.publish(*child.in());
  } catch (...) {
    children_.erase(name);
    throw;
  }
  place = duplicate_local(child.in());
  enrolled.adapter = nullptr;
  registry_.notify();
  guard.unlock();
  if (policies.bidirectional) registry_.references().go_bidirectional();
  return duplicate_local(child.in());
}

POA_ptr ChildAdapters::find(const char* name, CORBA::Boolean activate_it) {
  if (!name) raise<CORBA::BAD_PARAM>(kNilArgument, CORBA::COMPLETED_NO);
  {
    Registry::Guard guard(registry_);
    adapter_.check_not_gone();
    Adapter* const* child = children_.find(name);
    if (child && !(*child)->destroying()) return duplicate_local(*child);
  }
  if (activate_it) await_end_of(name);
  Adapter* made = activate_it ? find_or_activate(name) : nullptr;
  if (!made) raise<POA::AdapterNonExistent>();
  return made;
}

POAList* ChildAdapters::list() {
  auto list = std::make_unique<POAList>();
  Registry::Guard guard(registry_);
  adapter_.check_not_gone();
  list->length(static_cast<CORBA::ULong>(children_.size()));
  CORBA::ULong n = 0;
  children_.for_each([&](const std::string&, Adapter* child) {
    if (!child->destroying()) (*list)[n++] = duplicate_local<POA>(child);
  });
  list->length(n);
  return list.release();
}

POAManagerFactory_ptr ChildAdapters::manager_factory() {
  Registry::Guard guard(registry_);
  adapter_.check_not_gone();
  return new ManagerFactory(registry_);
}

Adapter* ChildAdapters::child(std::string_view name) const {
  Adapter* const* child = children_.find(name);
  return child ? *child : nullptr;
}

void ChildAdapters::end() {
  if (activator_.in()) --registry_.activators;
}

void ChildAdapters::gone() noexcept {
  AdapterActivator_var activator;  // let go without the lock
  const Registry::Guard guard(registry_);
  std::swap(activator.inout(), activator_.inout());
}

void ChildAdapters::remove(const std::string& name) { children_.erase(name); }

void ChildAdapters::mark_destroying(bool etherealizing) {
  children_.for_each([=](const std::string&, Adapter* child) { child->mark_destroying(etherealizing); });
}

void ChildAdapters::finish_trees() {
  children_.for_each([](const std::string&, Adapter* child) { child->finish_tree(); });
}

Adapter* ChildAdapters::nearest(Adapter* root, ByteView path) {
  Adapter* at = root;
  PathReader names(path);
  for (std::string_view name; at && names.next(name);) {
    Adapter* const child = at->children()->child(name);
    if (!child) break;
    at = child;
  }
  return at;
}

Adapter* ChildAdapters::in_charge_of(const Registry& registry, const ParsedKey& key, bool may_ask) {
  if (!is_persistent(key.kind)) return nullptr;
  if (may_ask && registry.activators != 0) {
    Adapter* const found = nearest(registry.root, key.path);
    if (found && found->children()->has_activator()) return found;
  }
  return registry.started() ? nullptr : registry.root;
}

// --- AdapterActivators ---

AdapterActivator_ptr ChildAdapters::activator() {
  Registry::Guard guard(registry_);
  adapter_.check_not_gone();
  return duplicate_local(activator_.in());
}

void ChildAdapters::set_activator(AdapterActivator_ptr activator) {
  AdapterActivator_var next(duplicate_local(activator));  // then the replaced activator, let go without the lock
  Registry::Guard guard(registry_);
  adapter_.check_alive();
  if (activator_.in()) --registry_.activators;
  if (activator) ++registry_.activators;
  std::swap(next.inout(), activator_.inout());
}

// An activator that makes an adapter again waits for the end of the one before, and so for upcalls in that. Nobody
// waits for that with the turn of activators, which those upcalls may want.
void ChildAdapters::await_end_of(const std::string& name) {
  Registry::Guard guard(registry_);
  for (;;) {
    Adapter* const* child = children_.find(name);
    if (!child || !(*child)->destroying()) return;
    if (in_upcall_of(registry_))
      raise<CORBA::BAD_INV_ORDER>(orb::omg(3), CORBA::COMPLETED_NO,
                                  "the adapter of that name is being destroyed, which may wait for this upcall");
    guard.wait();
  }
}

Adapter* ChildAdapters::find_or_activate(const std::string& name) {
  const Turn turn(registry_.activation());
  AdapterActivator_var asked;
  const auto find = [&]() -> Adapter* {
    Registry::Guard guard(registry_);
    Adapter* const* child = children_.find(name);
    if (child && !(*child)->destroying()) return duplicate_local(*child);
    if (child) raise<CORBA::TRANSIENT>(orb::omg(4), CORBA::COMPLETED_NO, "the adapter is being destroyed");
    if (!asked.in() && !adapter_.destroying()) asked = duplicate_local(activator_.in());
    return nullptr;
  };
  if (Adapter* found = find()) return found;
  if (!asked.in()) return nullptr;
  try {
    const AdapterMaking scope(registry_);
    // If the activator answers false, another thread may have made the adapter meanwhile: find() decides.
    static_cast<void>(asked->unknown_adapter(&adapter_, name.c_str()));
  } catch (...) {
    raise<CORBA::OBJ_ADAPTER>(orb::omg(1), CORBA::COMPLETED_NO, "exception in an AdapterActivator");
  }
  return find();
}

bool ChildAdapters::activate_path(Registry::Guard& guard, ByteView path) {
  Registry& registry = guard.registry();
  guard.unlock();
  {
    const std::lock_guard one_at_a_time(registry.activation());
    classic::ReferenceVar<Adapter> at;
    {
      Registry::Guard root_guard(registry);
      at = duplicate_local(registry.root);
    }
    PathReader names(path);
    std::string_view name;
    while (at.in() && names.next(name)) at = at.in()->children()->find_or_activate(std::string(name));
    if (!at.in()) return false;
  }
  guard.relock();
  return true;
}

}  // namespace callis::poa
