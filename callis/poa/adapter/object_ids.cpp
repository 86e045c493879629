// SPDX-License-Identifier: Apache-2.0
// Objects by ids of the user's choice, references without objects, and the ways between servants, ids and references.
#include <callis/orb/context/upcall.h>
#include <callis/poa/adapter/adapter.h>
#include <callis/poa/servant/minor_codes.h>
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

ObjectIds* ObjectIds::make(Adapter& adapter) { return new ObjectIds(adapter); }

ObjectIds::ObjectIds(Adapter& adapter) : adapter_(adapter), registry_(adapter.registry()) {}

void ObjectIds::check_system_id(ByteView id) const {
  if (!adapter_.policies().system_ids()) return;
  bool good = adapter_.has_id_of_mine(id);
  if (good && !adapter_.policies().persistent()) {
    SystemId system;
    std::memcpy(&system, id.data(), sizeof system);
    good = registry_.table().issued(system.slot, system.generation);
  }
  if (!good) raise<CORBA::BAD_PARAM>(orb::omg(14), CORBA::COMPLETED_NO);
}

void ObjectIds::activate_object_with_id(const ObjectId& object_id, Servant servant) {
  ServantBase_var count = counted_servant(servant);
  if (!adapter_.policies().retain()) raise<POA::WrongPolicy>();
  const ByteView id = bytes_of(object_id);
  Registry::Guard guard(registry_);
  for (;;) {
    adapter_.check_alive();
    check_system_id(id);
    const std::uint32_t slot = adapter_.find_object(id);
    if (slot == kNoSlot) break;
    if (adapter_.is_active(slot)) raise<POA::ObjectAlreadyActive>();
    // Its last requests are still being executed. One of them must not wait for itself.
    if (adapter_.in_upcall_on(id)) raise<POA::ObjectAlreadyActive>();
    guard.wait();
  }
  if (adapter_.policies().unique() && adapter_.slot_of(servant)) raise<POA::ServantAlreadyActive>();
  adapter_.put(servant, id);
  (void)count._retn();
}

CORBA::Object_ptr ObjectIds::create_reference(const char* repository_id) {
  checked_type(repository_id);
  if (!adapter_.policies().system_ids()) raise<POA::WrongPolicy>();
  std::vector<Byte> key;
  {
    Registry::Guard guard(registry_);
    adapter_.check_alive();
    const ObjectId_var id = adapter_.new_system_id();
    key = adapter_.reference_key(bytes_of(id.in()));
  }
  return adapter_.make_reference(repository_id, key);
}

CORBA::Object_ptr ObjectIds::create_reference_with_id(const ObjectId& id, const char* repository_id) {
  checked_type(repository_id);
  std::vector<Byte> key;
  {
    Registry::Guard guard(registry_);
    adapter_.check_alive();
    check_system_id(bytes_of(id));
    const std::uint32_t slot = adapter_.find_object(bytes_of(id));
    key = slot != kNoSlot ? adapter_.key_at(slot) : adapter_.reference_key(bytes_of(id));
  }
  return adapter_.make_reference(repository_id, key);
}

std::optional<std::uint32_t> ObjectIds::slot_of(Servant servant, ServantBase_var& count) {
  adapter_.check_not_gone();
  if (adapter_.policies().unique())
    if (const std::uint32_t* const slot = adapter_.slot_of(servant)) return *slot;
  if (!adapter_.policies().implicit_activation()) return {};
  adapter_.check_alive();
  const std::uint32_t slot = adapter_.put_new(servant);
  (void)count._retn();
  return slot;
}

ObjectId* ObjectIds::servant_to_id(Servant servant) {
  ServantBase_var count = counted_servant(servant);
  const bool policies_allow =
      adapter_.policies().retain() && (adapter_.policies().unique() || adapter_.policies().implicit_activation());
  if (!policies_allow && !adapter_.policies().default_servant()) raise<POA::WrongPolicy>();
  Registry::Guard guard(registry_);
  adapter_.check_not_gone();
  if (const auto slot = policies_allow ? slot_of(servant, count) : std::nullopt)
    return new_object_id(adapter_.id_in(adapter_.key_at(*slot)));
  const orb::Upcall* u = orb::Upcall::innermost_entered();
  if (adapter_.policies().default_servant() && u && u->adapter() == &adapter_ && u->servant() == servant)
    return new_object_id(adapter_.id_in(u->key()));
  raise<POA::ServantNotActive>();
}

CORBA::Object_ptr ObjectIds::servant_to_reference(Servant servant) {
  ServantBase_var count = counted_servant(servant);
  const orb::Upcall* u = orb::Upcall::innermost_entered();
  const bool in_its_upcall = u && u->adapter() == &adapter_ && u->servant() == servant;
  const bool policies_allow =
      adapter_.policies().retain() && (adapter_.policies().unique() || adapter_.policies().implicit_activation());
  if (!policies_allow && !in_its_upcall) raise<POA::WrongPolicy>();
  std::vector<Byte> key;
  {
    Registry::Guard guard(registry_);
    adapter_.check_not_gone();
    if (const auto slot = policies_allow ? slot_of(servant, count) : std::nullopt)
      key = adapter_.key_at(*slot);
    else if (in_its_upcall)
      append(key, u->key());
    else
      raise<POA::ServantNotActive>();
  }
  return reference_of(adapter_, key, servant);
}

ObjectId* ObjectIds::reference_to_id(CORBA::Object_ptr reference) {
  if (!reference) raise<CORBA::BAD_PARAM>(kNilArgument, CORBA::COMPLETED_NO, "nil reference");
  const ByteView key = registry_.references().own_key(reference), prefix = adapter_.key_prefix();
  Registry::Guard guard(registry_);
  adapter_.check_not_gone();
  if (key.size() < adapter_.id_at() || !equal(key.first(prefix.size()), prefix) ||
      !adapter_.has_id_of_mine(adapter_.id_in(key)))
    raise<POA::WrongAdapter>();
  return new_object_id(adapter_.id_in(key));
}

Servant ObjectIds::reference_to_servant(CORBA::Object_ptr reference) {
  if (!adapter_.policies().retain() && !adapter_.policies().default_servant()) raise<POA::WrongPolicy>();
  const ObjectId_var id = reference_to_id(reference);
  return id_to_servant(id.in());
}

Servant ObjectIds::id_to_servant(const ObjectId& id) {
  if (!adapter_.policies().retain() && !adapter_.policies().default_servant()) raise<POA::WrongPolicy>();
  Registry::Guard guard(registry_);
  adapter_.check_not_gone();
  std::uint32_t slot = adapter_.find_object(bytes_of(id));
  if (!adapter_.is_active(slot) && adapter_.policies().default_servant()) slot = adapter_.on_demand()->hidden();
  if (!adapter_.is_active(slot)) raise<POA::ObjectNotActive>();
  return adapter_.counted_servant_at(slot, guard);
}

ObjectId* ObjectIds::id_of_adapter() {
  Registry::Guard guard(registry_);
  adapter_.check_not_gone();
  if (adapter_.policies().persistent()) return new_object_id(adapter_.path());
  return new_object_id(user_key_prefix(registry_.prefix().nonce(), adapter_.tag()));
}

}  // namespace callis::poa
