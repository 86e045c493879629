// SPDX-License-Identifier: Apache-2.0
// The adapter as a node of the tree of adapters: creation, attributes, destruction.
#include <callis/classic/string.h>
#include <callis/orb/base/errors.h>
#include <callis/orb/core/interception.h>
#include <callis/orb/object/policy.h>
#include <callis/poa/adapter/adapter.h>
#include <callis/poa/servant/minor_codes.h>
#include <callis/poa/adapter/upcall.h>

namespace callis::poa {

using namespace PortableServer;

// Whether its objects have System keys.
static bool is_usual(const Policies& p, const orb::Demultiplexing& d) {
  return !p.persistent() && p.system_ids() && d.objects == orb::ObjectLookup::Active && d.adapters == orb::AdapterLookup::Active;
}

Adapter::Adapter(std::shared_ptr<Registry> registry, Adapter* parent, std::string name, Manager& manager,
                 const Policies& policies)
    : registry_(std::move(registry)), parent_(parent), name_(std::move(name)),
      manager_(duplicate_local(&manager)), policies_(policies),
      demultiplexing_(policies.demultiplexing.value_or(registry_->options().demultiplexing)),
      key_kind_(is_usual(policies_, demultiplexing_) || !CALLIS_HAS(other_keys) ? KeyKind::System
                                                                          : choose_other_kind(policies_, demultiplexing_)) {}

Adapter::~Adapter() = default;

Adapter* Adapter::make_root(const std::shared_ptr<Registry>& registry) {
  const classic::ReferenceVar<Manager> manager(new Manager(registry, "RootPOAManager"));
  classic::ReferenceVar<Adapter> root(new Adapter(registry, nullptr, "RootPOA", *manager.in(), root_policies()));
  root.in()->tell_interceptors(nullptr);
  Registry::Guard guard(*registry);
  if (!root.in()->enroll()) raise<CORBA::NO_RESOURCES>(kTooManyAdapters, CORBA::COMPLETED_NO);
  registry->root = duplicate_local(root.in());  // the tree's
  return root._retn();
}

void Adapter::tell_interceptors(const CORBA::PolicyList* policies) {
  if (orb::Interception* const i = registry_->references().interception()) notes_ = i->adapter_made(policies);
}

// Enters the registry; from then on requests can find the adapter.
bool Adapter::enroll() {
  if (key_kind_ == KeyKind::System) append(key_prefix_, registry_->prefix().bytes());
  else choose_key_prefix();
  if (!registry_->add(*this, tag_)) return false;
  if (path_.empty() && key_kind_ != KeyKind::System)
    std::memcpy(key_prefix_.data() + kUserKeyPrefixBytes - sizeof tag_, &tag_, sizeof tag_);
  update_gate();
  return true;
}

void Adapter::update_gate() {
  Gate gate = destroying_ ? Gate::Destroying : manager_.in()->gate();
  if (gate == Gate::Active && being_made_) gate = Gate::Holding;
  gate_.store(gate, std::memory_order_seq_cst);
}

void Adapter::check_not_gone() const {
  if (gone_ || over_) raise<CORBA::OBJECT_NOT_EXIST>(kAdapterDestroyed, CORBA::COMPLETED_NO);
}

void Adapter::check_alive() const {
  if (destroying_) raise<CORBA::OBJECT_NOT_EXIST>(kAdapterDestroyed, CORBA::COMPLETED_NO);
}

char* Adapter::the_name() {
  Guard guard(*registry_);
  check_not_gone();
  return classic::duplicate(name_.c_str());
}

POA_ptr Adapter::the_parent() {
  Guard guard(*registry_);
  check_not_gone();
  return duplicate_local(parent_);
}

POAManager_ptr Adapter::the_POAManager() {
  Guard guard(*registry_);
  check_not_gone();
  return duplicate_local(manager_.in());
}

// --- destruction ---

void Adapter::mark_destroying(bool etherealizing) {
  if (!destroying_) etherealizes_ = etherealizing;
  destroying_ = true;
  update_gate();
  children_.for_each([=](const std::string&, Adapter* child) { child->mark_destroying(etherealizing); });
}

void Adapter::destroy(CORBA::Boolean etherealize_objects, CORBA::Boolean wait_for_completion) {
  if (wait_for_completion && in_upcall_of(*registry_)) raise<CORBA::BAD_INV_ORDER>(orb::omg(3), CORBA::COMPLETED_NO);
  Guard guard(*registry_);
  check_not_gone();
  mark_destroying(etherealize_objects);
  registry_->notify();
  // Objects of whatever is being destroyed; nothing new is activated there.
  ObjectTable& table = registry_->table();
  for (std::uint32_t i = 0; i < table.size(); ++i) {
    if (table.at(i)->state() != SlotState::Active || !table.at(i)->adapter->destroying_) continue;
    if (table.at(i)->adapter->take_out(i)) {
      guard.unlock();
      registry_->retire(i);
      guard.relock();
    }
  }
  if (!gone_) finish_tree();
  while (wait_for_completion && !gone_) guard.wait();
}

void Adapter::finish_tree() {
  children_.for_each([](const std::string&, Adapter* child) { child->finish_tree(); });
  finish_if_empty();
}

void Adapter::object_gone(Servant servant) {
  std::uint32_t* const active = activations_.find(servant);
  if (active && --*active == 0) activations_.erase(servant);
  --objects_;
  finish_if_empty();
}

void Adapter::finish_if_empty() {
  if (objects_ == 0) cleaning_up_ = false;
  if (!destroying_ || gone_ || objects_ != put_off_ || !children_.empty()) return;
  if (put_off_ != 0) {
    put_off_ = 0;
    over_ = true;
    return registry_->let_go(*duplicate_local(this));
  }
  gone_ = true;
  if (adapter_activator_.in()) --registry_->activators;
  registry_->remove(*this);
  if (!parent_) return;
  parent_->children_.erase(name_);
  parent_->finish_if_empty();
}

bool Adapter::in_upcall_on(ByteView id) const {
  for (const Upcall* u = current_upcall; u; u = u->outer)
    if (u->adapter == this && std::ranges::equal(id_in(u->key), id)) return true;
  return false;
}

// --- what programs have instead of the features adapters and object_ids ---

[[noreturn]] static void no_adapters() { orb::throw_fault(orb::without_feature("adapters"), orb::Step::Encode); }
[[noreturn]] static void no_ids() { orb::throw_fault(orb::without_feature("object_ids"), orb::Step::Encode); }

CALLIS_FALLBACK POA_ptr Adapter::create_POA(const char*, POAManager_ptr, const CORBA::PolicyList&) { no_adapters(); }
CALLIS_FALLBACK POA_ptr Adapter::find_POA(const char*, CORBA::Boolean) { no_adapters(); }
CALLIS_FALLBACK POAList* Adapter::the_children() { no_adapters(); }
CALLIS_FALLBACK POAManagerFactory_ptr Adapter::the_POAManagerFactory() { no_adapters(); }
CALLIS_FALLBACK AdapterActivator_ptr Adapter::the_activator() { no_adapters(); }
CALLIS_FALLBACK void Adapter::the_activator(AdapterActivator_ptr) { no_adapters(); }
CALLIS_FALLBACK ServantManager_ptr Adapter::get_servant_manager() { no_adapters(); }
CALLIS_FALLBACK void Adapter::set_servant_manager(ServantManager_ptr) { no_adapters(); }
CALLIS_FALLBACK Servant Adapter::get_servant() { no_adapters(); }
CALLIS_FALLBACK void Adapter::set_servant(Servant) { no_adapters(); }

CALLIS_FALLBACK ObjectId* Adapter::id() { no_ids(); }
CALLIS_FALLBACK void Adapter::activate_object_with_id(const ObjectId&, Servant) { no_ids(); }
CALLIS_FALLBACK CORBA::Object_ptr Adapter::create_reference(const char*) { no_ids(); }
CALLIS_FALLBACK CORBA::Object_ptr Adapter::create_reference_with_id(const ObjectId&, const char*) { no_ids(); }
CALLIS_FALLBACK ObjectId* Adapter::servant_to_id(Servant) { no_ids(); }
CALLIS_FALLBACK CORBA::Object_ptr Adapter::servant_to_reference(Servant) { no_ids(); }
CALLIS_FALLBACK Servant Adapter::reference_to_servant(CORBA::Object_ptr) { no_ids(); }
CALLIS_FALLBACK ObjectId* Adapter::reference_to_id(CORBA::Object_ptr) { no_ids(); }
CALLIS_FALLBACK Servant Adapter::id_to_servant(const ObjectId&) { no_ids(); }

}  // namespace callis::poa
