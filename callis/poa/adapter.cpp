// SPDX-License-Identifier: Apache-2.0
// The adapter as a node of the tree of adapters: creation, attributes, destruction.
#include <callis/classic/string.h>
#include <callis/orb/interception.h>
#include <callis/orb/policy.h>
#include <callis/poa/adapter.h>
#include <callis/poa/adapter_making.h>
#include <callis/poa/minor_codes.h>
#include <callis/poa/upcall.h>

namespace callis::poa {

using namespace PortableServer;

namespace {

KeyKind choose_kind(const Policies& p, const orb::Demultiplexing& d) {
  if (p.persistent()) return d.objects == orb::ObjectLookup::Hint ? KeyKind::HintedPersistent : KeyKind::Persistent;
  if (d.adapters == orb::AdapterLookup::Path) return KeyKind::Named;
  switch (d.objects) {
    case orb::ObjectLookup::Active: return p.system_ids() ? KeyKind::System : KeyKind::User;
    case orb::ObjectLookup::Hint: return p.system_ids() ? KeyKind::System : KeyKind::Hinted;
    case orb::ObjectLookup::Hash: return KeyKind::User;
    case orb::ObjectLookup::Linear: break;
  }
  return KeyKind::Linear;
}

}  // namespace

Adapter::Adapter(std::shared_ptr<Registry> registry, Adapter* parent, std::string name, Manager& manager,
                 const Policies& policies)
    : registry_(std::move(registry)), parent_(parent), name_(std::move(name)),
      manager_(duplicate_local(&manager)), policies_(policies),
      demultiplexing_(policies.demultiplexing.value_or(registry_->options().demultiplexing)),
      key_kind_(choose_kind(policies_, demultiplexing_)) {}

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
  if (policies_.persistent() || key_kind_ == KeyKind::Named) {
    std::size_t names = 0;
    for (const Adapter* a = this; a->parent_; a = a->parent_) ++names;
    path_ = begin_path(names);
    append_names(path_);
  }
  const SystemKeyPrefix& system = registry_->prefix();
  if (policies_.persistent()) key_prefix_ = persistent_key_prefix(path_, key_kind_);
  else if (key_kind_ == KeyKind::Named) key_prefix_ = named_key_prefix(system.nonce(), path_);
  else if (key_kind_ == KeyKind::System) append(key_prefix_, system.bytes());
  else key_prefix_ = user_key_prefix(system.nonce(), 0, key_kind_);
  if (!registry_->add(*this, tag_)) return false;
  if (path_.empty() && key_kind_ != KeyKind::System)
    std::memcpy(key_prefix_.data() + kUserKeyPrefixBytes - sizeof tag_, &tag_, sizeof tag_);
  update_gate();
  return true;
}

void Adapter::append_names(Bytes& path) const {
  if (!parent_) return;
  parent_->append_names(path);
  append_name(path, name_);
}

void Adapter::update_gate() {
  Gate gate = destroying_ ? Gate::Destroying : manager_.in()->gate();
  if (gate == Gate::Active && being_made_) gate = Gate::Holding;
  gate_.store(gate, std::memory_order_seq_cst);
}

void Adapter::check_not_gone() const {
  if (gone_) raise<CORBA::OBJECT_NOT_EXIST>(kAdapterDestroyed, CORBA::COMPLETED_NO);
}

void Adapter::check_alive() const {
  if (destroying_) raise<CORBA::OBJECT_NOT_EXIST>(kAdapterDestroyed, CORBA::COMPLETED_NO);
}

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
  if (policies.both_ways) registry_->references().go_both_ways();
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
  Adapter* made = activate_it ? find_or_activate(name) : nullptr;
  if (!made) raise<AdapterNonExistent>();
  return made;
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

POAManager_ptr Adapter::the_POAManager() {
  Guard guard(*registry_);
  check_not_gone();
  return duplicate_local(manager_.in());
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

ObjectId* Adapter::id() {
  Guard guard(*registry_);
  check_not_gone();
  if (policies_.persistent()) return new_object_id(path_);
  return new_object_id(user_key_prefix(registry_->prefix().nonce(), tag_));
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
  const auto it = activations_.find(servant);
  if (it != activations_.end() && --it->second == 0) activations_.erase(it);
  --objects_;
  finish_if_empty();
}

void Adapter::finish_if_empty() {
  if (!destroying_ || gone_ || objects_ != 0 || !children_.empty()) return;
  gone_ = true;
  if (adapter_activator_.in()) --registry_->activators;
  registry_->remove(*this);
  if (!parent_) return;
  parent_->children_.erase(name_);
  parent_->finish_if_empty();
}

}  // namespace callis::poa
