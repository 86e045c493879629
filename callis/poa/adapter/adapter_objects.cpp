// SPDX-License-Identifier: Apache-2.0
// The adapter's objects: activation, keys and references. More of it in object_ids.cpp.
#include <callis/poa/adapter/adapter.h>
#include <callis/poa/servant/minor_codes.h>
#include <callis/poa/servant/skeleton.h>
#include <callis/poa/adapter/upcall.h>
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
  key.reserve(key_prefix_.size() + id.size());
  append(key, key_prefix_);
  append(key, id);
  return key;
}

Adapter::Bytes Adapter::key_at(std::uint32_t slot) const {
  const Slot& s = *registry_->table().at(slot);
  Byte system[kSystemKeyBytes];
  if (!s.key) registry_->prefix().build({tag_, slot, s.generation()}, system);
  Bytes key;
  append(key, s.key ? s.key_view() : ByteView(system));
  return hint_bytes() == 0 ? key : with_hint(std::move(key), slot, s.generation());
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
  if (key_kind_ == KeyKind::System) {
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

std::uint32_t Adapter::put(Servant servant, ByteView id) {
  const Activation activation{servant, servant->_callis_self(), &servant->_callis_skeleton(), this, tag_};
  const Bytes key = id.empty() && key_kind_ == KeyKind::System ? Bytes{} : key_of(id);
  std::uint32_t* const active = policies_.servant_manager() ? &activations_.insert(servant, 0) : nullptr;
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

// Pins the object, so that the servant can be counted without the lock. The lock is given up.
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

}  // namespace callis::poa
