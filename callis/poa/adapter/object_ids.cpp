// SPDX-License-Identifier: Apache-2.0
// Objects by ids of the user's choice, references without objects, and the ways between servants, ids and references.
#include <callis/poa/adapter/adapter.h>
#include <callis/poa/servant/minor_codes.h>
#include <callis/poa/adapter/upcall.h>
#include <algorithm>

CALLIS_PROVIDE(object_ids);

namespace callis::poa {

using namespace PortableServer;

namespace {

const char* checked_type(const char* repository_id) {
  if (!repository_id) raise<CORBA::BAD_PARAM>(kNilArgument, CORBA::COMPLETED_NO, "null repository id");
  return repository_id;
}

bool equal(ByteView a, ByteView b) { return std::equal(a.begin(), a.end(), b.begin(), b.end()); }

}  // namespace

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

Adapter::Bytes Adapter::reference_key(ByteView id) const {
  return hint_bytes() == 0 ? key_of(id) : with_hint(key_of(id), 0, 0);
}

void Adapter::activate_object_with_id(const ObjectId& object_id, Servant servant) {
  ServantBase_var count = counted_servant(servant);
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
    if (const std::uint32_t* const slot = by_servant_.find(servant)) return *slot;
  if (!policies_.implicit_activation()) return {};
  check_alive();
  const std::uint32_t slot = put_new(servant);
  (void)count._retn();
  return slot;
}

ObjectId* Adapter::servant_to_id(Servant servant) {
  ServantBase_var count = counted_servant(servant);
  const bool policies_allow = policies_.retain() && (policies_.unique() || policies_.implicit_activation());
  if (!policies_allow && !policies_.default_servant()) raise<WrongPolicy>();
  Guard guard(*registry_);
  check_not_gone();
  if (const auto slot = policies_allow ? slot_of(servant, count) : std::nullopt) return new_object_id(id_in(key_at(*slot)));
  const Upcall* u = current_upcall;
  if (policies_.default_servant() && u && u->adapter == this && u->servant == servant) return new_object_id(id_in(u->key));
  raise<ServantNotActive>();
}

CORBA::Object_ptr Adapter::servant_to_reference(Servant servant) {
  ServantBase_var count = counted_servant(servant);
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

ObjectId* Adapter::id() {
  Guard guard(*registry_);
  check_not_gone();
  if (policies_.persistent()) return new_object_id(path_);
  return new_object_id(user_key_prefix(registry_->prefix().nonce(), tag_));
}

}  // namespace callis::poa
