// SPDX-License-Identifier: Apache-2.0
// The adapter's objects: activation, references, and the ways from one to the other.
#include <callis/poa/adapter.h>
#include <callis/poa/minor_codes.h>
#include <callis/poa/skeleton.h>
#include <callis/poa/upcall.h>
#include <algorithm>

namespace callis::poa {

using namespace PortableServer;

namespace {

// A count of one's own, given back when it goes out of scope.
ServantBase_var counted(Servant servant) {
  if (!servant) raise<CORBA::BAD_PARAM>(kNilArgument, CORBA::COMPLETED_NO, "nil servant");
  servant->_add_ref();
  return servant;
}

const char* type_of(const Skeleton& skeleton) { return skeleton.repository_ids[0]; }

const char* checked_type(const char* repository_id) {
  if (!repository_id) raise<CORBA::BAD_PARAM>(kNilArgument, CORBA::COMPLETED_NO, "null repository id");
  return repository_id;
}

bool equal(ByteView a, ByteView b) { return std::equal(a.begin(), a.end(), b.begin(), b.end()); }

// Persistent system ids carry the nonce, so that no later process makes the same.
constexpr std::size_t kPersistentIdBytes = kSystemIdBytes + sizeof(Nonce);

}  // namespace

CORBA::Object_ptr reference_of(const Adapter& adapter, ByteView key, Servant servant) {
  return adapter.make_reference(type_of(servant->_callis_skeleton()), key);
}

CORBA::Object_ptr Adapter::make_reference(const char* type_id, ByteView key) const {
  return registry_->references().make(type_id, key, notes_.get());
}

// --- ids and keys ---

bool Adapter::has_id_of_mine(ByteView id) const {
  if (!policies_.system_ids()) return true;
  if (policies_.persistent()) return id.size() == kPersistentIdBytes;
  return id.size() == kSystemIdBytes && std::memcmp(id.data(), &tag_, sizeof tag_) == 0;
}

void Adapter::check_system_id(ByteView id) const {
  if (!policies_.system_ids()) return;
  bool good = has_id_of_mine(id);
  if (good && !policies_.persistent()) {
    SystemId system;
    std::memcpy(&system, id.data(), sizeof system);
    good = registry_->table().issued(system.slot, system.generation);
  }
  if (!good) raise<CORBA::BAD_PARAM>(orb::omg(14), CORBA::COMPLETED_NO);
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
  return with_hint(std::move(key), slot, s.generation());
}

Adapter::Bytes Adapter::reference_key(ByteView id) const { return with_hint(key_of(id), 0, 0); }

Adapter::Bytes Adapter::with_hint(Bytes key, std::uint32_t slot, std::uint32_t generation) const {
  if (hint_bytes() == 0) return key;
  const std::uint32_t hint[2] = {slot, generation};
  static_assert(sizeof hint == kHintBytes);
  const Byte* const bytes = reinterpret_cast<const Byte*>(hint);
  key.insert(key.begin() + static_cast<std::ptrdiff_t>(key_prefix_.size()), bytes, bytes + sizeof hint);
  return key;
}

ObjectId* Adapter::new_system_id() {
  SystemId system{tag_, 0, 0};
  if (!registry_->table().reserve(system.slot, system.generation))
    raise<CORBA::NO_MEMORY>(kTooManyObjects, CORBA::COMPLETED_NO);
  Byte id[kPersistentIdBytes];
  std::memcpy(id, &system, sizeof system);
  std::copy_n(registry_->prefix().nonce().begin(), sizeof(Nonce), id + sizeof system);
  return new_object_id({id, policies_.persistent() ? kPersistentIdBytes : kSystemIdBytes});
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
  if (policies_.servant_manager()) activations_.emplace(servant, 0);
  if (policies_.unique()) by_servant_.emplace(servant, kNoSlot);
  const std::uint32_t slot = registry_->table().activate(activation, key);
  if (slot == kNoSlot) {
    by_servant_.erase(servant);
    raise<CORBA::NO_MEMORY>(kTooManyObjects, CORBA::COMPLETED_NO);
  }
  if (policies_.unique()) by_servant_[servant] = slot;
  if (policies_.servant_manager()) ++activations_[servant];
  ++objects_;
  return slot;
}

std::uint32_t Adapter::put_with_new_id(Servant servant) {
  if (key_kind_ == KeyKind::System) return put(servant, {});
  const ObjectId_var id = new_system_id();
  return put(servant, bytes_of(id.in()));
}

bool Adapter::take_out(std::uint32_t slot) {
  const auto it = by_servant_.find(registry_->table().at(slot)->servant);
  if (it != by_servant_.end() && it->second == slot) by_servant_.erase(it);
  return registry_->table().deactivate(slot);
}

ObjectId* Adapter::activate_object(Servant servant) {
  ServantBase_var count = counted(servant);
  if (!policies_.retain() || !policies_.system_ids()) raise<WrongPolicy>();
  auto id = std::make_unique<ObjectId>();
  id->length(kPersistentIdBytes);
  Guard guard(*registry_);
  check_alive();
  if (policies_.unique() && by_servant_.contains(servant)) raise<ServantAlreadyActive>();
  const Bytes key = key_at(put_with_new_id(servant));
  (void)count._retn();
  const ByteView bytes = id_in(key);
  id->length(static_cast<CORBA::ULong>(bytes.size()));
  std::copy(bytes.begin(), bytes.end(), id->get_buffer());
  return id.release();
}

void Adapter::activate_object_with_id(const ObjectId& object_id, Servant servant) {
  ServantBase_var count = counted(servant);
  if (!policies_.retain()) raise<WrongPolicy>();
  const ByteView id = bytes_of(object_id);
  Guard guard(*registry_);
  for (;;) {
    check_alive();
    check_system_id(id);
    const std::uint32_t slot = find_object(id);
    if (slot == kNoSlot) break;
    if (is_active(slot)) raise<ObjectAlreadyActive>();
    // Its last requests are still being executed. One of them must not wait for itself.
    if (in_upcall_on(id)) raise<ObjectAlreadyActive>();
    guard.wait();
  }
  if (policies_.unique() && by_servant_.contains(servant)) raise<ServantAlreadyActive>();
  put(servant, id);
  (void)count._retn();
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

CORBA::Object_ptr Adapter::create_reference(const char* repository_id) {
  checked_type(repository_id);
  if (!policies_.system_ids()) raise<WrongPolicy>();
  Bytes key;
  {
    Guard guard(*registry_);
    check_alive();
    const ObjectId_var id = new_system_id();
    key = reference_key(bytes_of(id.in()));
  }
  return make_reference(repository_id, key);
}

CORBA::Object_ptr Adapter::create_reference_with_id(const ObjectId& id, const char* repository_id) {
  checked_type(repository_id);
  Bytes key;
  {
    Guard guard(*registry_);
    check_alive();
    check_system_id(bytes_of(id));
    const std::uint32_t slot = find_object(bytes_of(id));
    key = slot != kNoSlot ? key_at(slot) : reference_key(bytes_of(id));
  }
  return make_reference(repository_id, key);
}

// The servant's object by uniqueness, or a new activation where the policies allow it.
std::optional<std::uint32_t> Adapter::slot_of(Servant servant, ServantBase_var& count) {
  check_not_gone();
  if (policies_.unique())
    if (const auto it = by_servant_.find(servant); it != by_servant_.end()) return it->second;
  if (!policies_.implicit_activation()) return {};
  check_alive();
  const std::uint32_t slot = put_with_new_id(servant);
  (void)count._retn();
  return slot;
}

ObjectId* Adapter::servant_to_id(Servant servant) {
  ServantBase_var count = counted(servant);
  const Upcall* u = current_upcall;
  if (policies_.default_servant() && u && u->adapter == this && u->servant == servant) return new_object_id(id_in(u->key));
  const bool policies_allow = policies_.retain() && (policies_.unique() || policies_.implicit_activation());
  if (!policies_allow && !policies_.default_servant()) raise<WrongPolicy>();
  Guard guard(*registry_);
  if (!policies_allow) raise<ServantNotActive>();
  const auto slot = slot_of(servant, count);
  if (!slot) raise<ServantNotActive>();
  return new_object_id(id_in(key_at(*slot)));
}

CORBA::Object_ptr Adapter::servant_to_reference(Servant servant) {
  ServantBase_var count = counted(servant);
  const Upcall* u = current_upcall;
  const bool in_its_upcall = u && u->adapter == this && u->servant == servant;
  const bool policies_allow = policies_.retain() && (policies_.unique() || policies_.implicit_activation());
  if (!policies_allow && !in_its_upcall) raise<WrongPolicy>();
  Bytes key;
  {
    Guard guard(*registry_);
    check_not_gone();
    if (const auto slot = policies_allow ? slot_of(servant, count) : std::nullopt) key = key_at(*slot);
    else if (in_its_upcall) append(key, u->key);
    else raise<ServantNotActive>();
  }
  return reference_of(*this, key, servant);
}

ObjectId* Adapter::reference_to_id(CORBA::Object_ptr reference) {
  if (!reference) raise<CORBA::BAD_PARAM>(kNilArgument, CORBA::COMPLETED_NO, "nil reference");
  const ByteView key = registry_->references().own_key(reference);
  Guard guard(*registry_);
  check_not_gone();
  if (key.size() < key_prefix_.size() + hint_bytes() || !equal(key.first(key_prefix_.size()), key_prefix_) ||
      !has_id_of_mine(id_in(key)))
    raise<WrongAdapter>();
  return new_object_id(id_in(key));
}

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

Servant Adapter::reference_to_servant(CORBA::Object_ptr reference) {
  if (!policies_.retain() && !policies_.default_servant()) raise<WrongPolicy>();
  const ObjectId_var id = reference_to_id(reference);
  return id_to_servant(id.in());
}

Servant Adapter::id_to_servant(const ObjectId& id) {
  if (!policies_.retain() && !policies_.default_servant()) raise<WrongPolicy>();
  Guard guard(*registry_);
  check_not_gone();
  std::uint32_t slot = find_object(bytes_of(id));
  if (!is_active(slot) && policies_.default_servant()) slot = hidden_;
  if (!is_active(slot)) raise<ObjectNotActive>();
  return counted_servant_at(slot, guard);
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
