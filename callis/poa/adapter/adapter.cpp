// SPDX-License-Identifier: Apache-2.0
// The adapter: creation and destruction, its objects with their keys and references. Hands on to its parts the
// operations that belong to them.
#include <callis/classic/string.h>
#include <callis/orb/base/errors.h>
#include <callis/orb/base/policy.h>
#include <callis/orb/context/upcall.h>
#include <callis/orb/core/interception.h>
#include <callis/poa/adapter/adapter.h>
#include <callis/poa/servant/minor_codes.h>
#include <callis/poa/servant/skeleton.h>
#include <algorithm>

namespace callis::poa {

using namespace PortableServer;

ServantBase_var counted_servant(Servant servant) {
  if (!servant) raise<CORBA::BAD_PARAM>(kNilArgument, CORBA::COMPLETED_NO, "nil servant");
  servant->_add_ref();
  return servant;
}

namespace {

const char* type_of(const Skeleton& skeleton) { return skeleton.repository_ids[0]; }

}  // namespace

CORBA::Object_ptr reference_of(const Adapter& adapter, ByteView key, Servant servant) {
  return adapter.make_reference(type_of(servant->_callis_skeleton()), key);
}

Adapter::Adapter(Registry& registry, Adapter* parent, std::string name, Manager& manager, const Policies& policies)
    : registry_(&registry),
      parent_(parent),
      name_(std::move(name)),
      manager_(duplicate_local(&manager)),
      policies_(policies),
      demultiplexing_(policies.demultiplexing.value_or(registry.options().demultiplexing)),
      other_keys_(CALLIS_HAS(other_keys) ? OtherKeys::make(*this, demultiplexing_) : nullptr),
      ids_(CALLIS_HAS(object_ids) ? ObjectIds::make(*this) : nullptr),
      children_(CALLIS_HAS(adapters) ? ChildAdapters::make(*this) : nullptr),
      on_demand_(CALLIS_HAS(adapters) ? ServantsOnDemand::make(*this) : nullptr) {}

Adapter::~Adapter() = default;

Adapter* Adapter::make_root(Registry& registry) {
  const classic::ReferenceVar<Manager> manager(new Manager(registry, "RootPOAManager"));
  classic::ReferenceVar<Adapter> root(new Adapter(registry, nullptr, "RootPOA", *manager.in(), root_policies()));
  Registry::Guard guard(registry);
  if (!root.in()->enroll()) raise<CORBA::NO_RESOURCES>(kTooManyAdapters, CORBA::COMPLETED_NO);
  root.in()->tell_interceptors(guard, nullptr);
  registry.publish(*root.in());
  registry.root = duplicate_local(root.in());  // the tree's
  return root._retn();
}

void Adapter::tell_interceptors(Guard& guard, const CORBA::PolicyList* policies) {
  guard.unlock();
  if (orb::Interception* const i = registry_->references().interception()) notes_ = i->adapter_made(*this, policies);
  guard.relock();
}

void Adapter::expose(std::unique_ptr<const orb::AdapterNotes> policies) { exposed_ = std::move(policies); }

bool Adapter::enroll() {
  if (!registry_->add(*this, tag_)) return false;
  if (other_keys_) other_keys_->set_tag(tag_);
  update_gate();
  return true;
}

void Adapter::update_gate() {
  Gate gate = destroying_ ? Gate::Destroying : manager_.in()->gate();
  if (gate == Gate::Active && being_made_) gate = Gate::Holding;
  gate_.store(gate, std::memory_order_seq_cst);
}

void Adapter::set_being_made(bool being_made) {
  being_made_ = being_made;
  update_gate();
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
  if (children_) children_->mark_destroying(etherealizing);
}

void Adapter::destroy(CORBA::Boolean etherealize_objects, CORBA::Boolean wait_for_completion) {
  if (wait_for_completion && in_upcall_of(*registry_)) raise<CORBA::BAD_INV_ORDER>(orb::omg(3), CORBA::COMPLETED_NO);
  Guard guard(*registry_);
  if (gone_ && registry_->stopping()) return;  // the ORB's shutdown has destroyed it
  check_not_gone();
  mark_destroying(etherealize_objects);
  registry_->notify();
  // Deactivates the objects of adapters that are being destroyed; no new object is activated there.
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
  if (children_) children_->finish_trees();
  finish_if_empty();
}

void Adapter::object_gone(Servant servant) {
  if (on_demand_) on_demand_->object_gone(servant);
  --objects_;
  finish_if_empty();
}

void Adapter::finish_if_empty() {
  const std::uint32_t waiting = on_demand_ ? on_demand_->waiting_ends(objects_) : 0;
  if (!destroying_ || gone_ || objects_ != waiting || (children_ && !children_->empty())) return;
  if (waiting != 0) {
    over_ = true;
    return registry_->let_go(*duplicate_local(this));
  }
  gone_ = true;
  if (children_) children_->end();
  registry_->remove(*this);
  if (!parent_) return;
  parent_->children_->remove(name_);
  parent_->finish_if_empty();
}

bool Adapter::in_upcall_on(ByteView id) const {
  for (const orb::Upcall* u = orb::Upcall::innermost(); u; u = u->outer())
    if (u->adapter() == this && std::ranges::equal(id_in(u->key()), id)) return true;
  return false;
}

bool in_upcall_of(const Registry& registry) {
  for (const orb::Upcall* u = orb::Upcall::innermost(); u; u = u->outer())
    if (u->adapter() && &u->adapter()->registry() == &registry) return true;
  return false;
}

// --- objects ---

CORBA::Object_ptr Adapter::make_reference(const char* type_id, ByteView key) const {
  return registry_->references().make(type_id, key, notes_.get(), exposed_.get());
}

// --- ids and keys ---

bool Adapter::has_id_of_mine(ByteView id) const {
  if (!policies_.system_ids()) return true;
  if (policies_.persistent()) return id.size() == kPersistentSystemIdBytes;
  return id.size() == kSystemIdBytes && std::memcmp(id.data(), &tag_, sizeof tag_) == 0;
}

Adapter::Bytes Adapter::key_of(ByteView id) const {
  Bytes key;
  const ByteView prefix = key_prefix();
  key.reserve(prefix.size() + id.size());
  append(key, prefix);
  append(key, id);
  return key;
}

Adapter::Bytes Adapter::key_at(std::uint32_t slot) const {
  const Slot& s = *registry_->table().at(slot);
  Byte system[kSystemKeyBytes];
  if (!s.key) registry_->prefix().build({tag_, slot, s.generation()}, system);
  Bytes key;
  append(key, s.key ? s.key_view() : ByteView(system));
  if (other_keys_) other_keys_->add_hint(key, slot, s.generation());
  return key;
}

Adapter::Bytes Adapter::reference_key(ByteView id) const {
  Bytes key = key_of(id);
  if (other_keys_) other_keys_->add_hint(key, 0, 0);
  return key;
}

ObjectId* Adapter::new_system_id() {
  SystemId system{tag_, 0, 0};
  if (!registry_->table().reserve(system.slot, system.generation))
    raise<CORBA::NO_MEMORY>(kTooManyObjects, CORBA::COMPLETED_NO);
  Byte id[kPersistentSystemIdBytes];
  std::memcpy(id, &system, sizeof system);
  std::copy_n(registry_->prefix().nonce().begin(), sizeof(Nonce), id + sizeof system);
  return new_object_id({id, policies_.persistent() ? kPersistentSystemIdBytes : kSystemIdBytes});
}

std::uint32_t Adapter::find_object(ByteView id) const {
  const ObjectTable& table = registry_->table();
  if (!other_keys_) {
    if (!has_id_of_mine(id)) return kNoSlot;
    SystemId system;
    std::memcpy(&system, id.data(), sizeof system);
    const Slot* s = table.at(system.slot);
    if (s && s->adapter == this && s->key_bytes == 0 && s->generation() == system.generation) return system.slot;
  }
  return table.lookup(key_of(id));
}

bool Adapter::is_active(std::uint32_t slot) const {
  return slot != kNoSlot && registry_->table().at(slot)->state() == SlotState::Active;
}

std::uint32_t Adapter::active_slot(ByteView id) const {
  const std::uint32_t slot = find_object(id);
  if (!is_active(slot)) raise<ObjectNotActive>();
  return slot;
}

// --- activation ---

std::uint32_t Adapter::put(Servant servant, ByteView id, std::uint32_t flags) {
  const Activation activation{servant, servant->_callis_self(), &servant->_callis_skeleton(), this, tag_, flags};
  const Bytes key = id.empty() && !other_keys_ ? Bytes{} : key_of(id);
  std::uint32_t* const active = on_demand_ ? on_demand_->activations_of(servant) : nullptr;
  std::uint32_t* const own_slot = policies_.unique() ? &by_servant_.insert(servant, kNoSlot) : nullptr;
  const std::uint32_t slot = registry_->table().activate(activation, key);
  if (slot == kNoSlot) {
    by_servant_.erase(servant);
    raise<CORBA::NO_MEMORY>(kTooManyObjects, CORBA::COMPLETED_NO);
  }
  if (own_slot) *own_slot = slot;
  if (active) ++*active;
  ++objects_;
  return slot;
}

std::uint32_t Adapter::put_new(Servant servant) {
  return other_keys_ ? OtherKeys::put_new(*this, servant) : put(servant, {});
}

std::uint32_t Adapter::put_hidden(const Activation& activation, ByteView key) {
  const std::uint32_t slot = registry_->table().activate(activation, key);
  if (slot == kNoSlot) raise<CORBA::NO_MEMORY>(kTooManyObjects, CORBA::COMPLETED_NO);
  ++objects_;
  return slot;
}

bool Adapter::take_out(std::uint32_t slot) {
  const Servant servant = registry_->table().at(slot)->servant;
  const std::uint32_t* const own_slot = by_servant_.find(servant);
  if (own_slot && *own_slot == slot) by_servant_.erase(servant);
  return registry_->table().deactivate(slot);
}

ObjectId* Adapter::activate_object(Servant servant) {
  ServantBase_var count = counted_servant(servant);
  if (!policies_.retain() || !policies_.system_ids()) raise<WrongPolicy>();
  auto id = std::make_unique<ObjectId>();
  id->length(kPersistentSystemIdBytes);
  Guard guard(*registry_);
  check_alive();
  if (policies_.unique() && by_servant_.contains(servant)) raise<ServantAlreadyActive>();
  const Bytes key = key_at(put_new(servant));
  (void)count._retn();
  const ByteView bytes = id_in(key);
  id->length(static_cast<CORBA::ULong>(bytes.size()));
  std::copy(bytes.begin(), bytes.end(), id->get_buffer());
  return id.release();
}

void Adapter::deactivate_object(const ObjectId& id) {
  if (!policies_.retain()) raise<WrongPolicy>();
  Guard guard(*registry_);
  check_not_gone();
  const std::uint32_t slot = active_slot(bytes_of(id));
  const bool ended = take_out(slot);
  guard.unlock();
  if (ended) registry_->retire(slot);
}

// --- references ---

Servant Adapter::counted_servant_at(std::uint32_t slot, Guard& guard) {
  Slot* s = registry_->table().at(slot);
  s = registry_->table().enter(slot, s->generation());  // Active, and the lock keeps it so
  guard.unlock();
  const Servant servant = s->servant;
  servant->_add_ref();
  registry_->leave(s);
  return servant;
}

CORBA::Object_ptr Adapter::id_to_reference(const ObjectId& id) {
  if (!policies_.retain()) raise<WrongPolicy>();
  const char* type;
  Bytes key;
  {
    Guard guard(*registry_);
    check_not_gone();
    const std::uint32_t slot = active_slot(bytes_of(id));
    type = type_of(*registry_->table().at(slot)->skeleton);
    key = key_at(slot);
  }
  return make_reference(type, key);
}

// --- operations of its parts ---

namespace {

[[noreturn, gnu::cold, gnu::noinline]] void lacks(const char* feature) {
  orb::throw_without_feature(feature);
}
[[noreturn, gnu::cold, gnu::noinline]] void lacks_adapters() { lacks("adapters"); }
[[noreturn, gnu::cold, gnu::noinline]] void lacks_ids() { lacks("object_ids"); }

}  // namespace

inline ChildAdapters& Adapter::children_or_throw() const {
  if (!children_) [[unlikely]]
    lacks_adapters();
  return *children_;
}
inline ServantsOnDemand& Adapter::on_demand_or_throw() const {
  if (!on_demand_) [[unlikely]]
    no_servants_on_demand();
  return *on_demand_;
}
void Adapter::no_servants_on_demand() {
  if (CALLIS_HAS(adapters)) raise<WrongPolicy>();
  lacks_adapters();
}
inline ObjectIds& Adapter::ids_or_throw() const {
  if (!ids_) [[unlikely]]
    lacks_ids();
  return *ids_;
}

POA_ptr Adapter::create_POA(const char* name, POAManager_ptr manager, const CORBA::PolicyList& policies) {
  return children_or_throw().create(name, manager, policies);
}
POA_ptr Adapter::find_POA(const char* name, CORBA::Boolean activate_it) {
  return children_or_throw().find(name, activate_it);
}
POAList* Adapter::the_children() { return children_or_throw().list(); }
POAManagerFactory_ptr Adapter::the_POAManagerFactory() { return children_or_throw().manager_factory(); }
AdapterActivator_ptr Adapter::the_activator() { return children_or_throw().activator(); }
void Adapter::the_activator(AdapterActivator_ptr activator) { children_or_throw().set_activator(activator); }

ServantManager_ptr Adapter::get_servant_manager() { return on_demand_or_throw().get_servant_manager(); }
void Adapter::set_servant_manager(ServantManager_ptr manager) { on_demand_or_throw().set_servant_manager(manager); }
Servant Adapter::get_servant() { return on_demand_or_throw().get_servant(); }
void Adapter::set_servant(Servant servant) { on_demand_or_throw().set_servant(servant); }

ObjectId* Adapter::id() { return ids_or_throw().id_of_adapter(); }
void Adapter::activate_object_with_id(const ObjectId& id, Servant servant) {
  ids_or_throw().activate_object_with_id(id, servant);
}
CORBA::Object_ptr Adapter::create_reference(const char* type) { return ids_or_throw().create_reference(type); }
CORBA::Object_ptr Adapter::create_reference_with_id(const ObjectId& id, const char* type) {
  return ids_or_throw().create_reference_with_id(id, type);
}
ObjectId* Adapter::servant_to_id(Servant servant) { return ids_or_throw().servant_to_id(servant); }
CORBA::Object_ptr Adapter::servant_to_reference(Servant servant) {
  return ids_or_throw().servant_to_reference(servant);
}
Servant Adapter::reference_to_servant(CORBA::Object_ptr reference) {
  return ids_or_throw().reference_to_servant(reference);
}
ObjectId* Adapter::reference_to_id(CORBA::Object_ptr reference) { return ids_or_throw().reference_to_id(reference); }
Servant Adapter::id_to_servant(const ObjectId& id) { return ids_or_throw().id_to_servant(id); }

}  // namespace callis::poa
