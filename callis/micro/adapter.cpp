// SPDX-License-Identifier: Apache-2.0
// Objects and their slots, the operations of RootPOA, and what servants inherit.
#include <callis/classic/string.h>
#include <callis/micro/adapter.h>
#include <callis/micro/loop.h>
#include <callis/micro/server.h>
#include <callis/orb/base/errors.h>
#include <callis/poa/servant/minor_codes.h>
#include <callis/poa/servant/tie.h>
#include <algorithm>
#include <cstring>

using namespace PortableServer;

namespace callis::micro {
namespace {

constexpr Byte kMagic[4] = {'c', 'm', 'i', 'c'};

[[noreturn]] void not_in_profile() {
  orb::raise<CORBA::NO_IMPLEMENT>(orb::own(Fault::Unsupported), CORBA::COMPLETED_NO,
                                  "the micro profile has RootPOA alone (docs/guide/micro.md)");
}

[[noreturn]] void nil_argument() {
  orb::raise<CORBA::BAD_PARAM>(poa::kNilArgument, CORBA::COMPLETED_NO, "nil");
}

// No other adapter, of this process or of any other, has the same.
ObjectId* make_nonce() {
  static std::uint32_t made = 0;
  const auto now = std::chrono::system_clock::now().time_since_epoch().count();
  Byte bytes[8];
  store(bytes, static_cast<std::uint64_t>(now) * 0x9e3779b97f4a7c15u + ++made);
  return poa::new_object_id(bytes);
}

}  // namespace

void Manager::go(State to, bool wait) {
  if (state_ == INACTIVE) classic::raise<AdapterInactive>();
  if (wait && Loop::instance().nested() != 0)
    orb::raise<CORBA::BAD_INV_ORDER>(orb::omg(3), CORBA::COMPLETED_NO, "waiting for requests in an upcall");
  state_ = to;
}

char* Manager::get_id() { return CORBA::string_dup("RootPOAManager"); }

// --- Objects ---

Adapter::Adapter(Orb& orb) : orb_(&orb), nonce_(make_nonce()), manager_(new Manager) {}

void Adapter::check() const {
  if (!orb_) orb::raise<CORBA::OBJECT_NOT_EXIST>(poa::kAdapterDestroyed, CORBA::COMPLETED_NO, "the adapter has gone");
}

Adapter::Key Adapter::key_of(std::uint32_t slot) const {
  Key key;
  std::memcpy(key.data(), kMagic, sizeof kMagic);
  std::memcpy(key.data() + sizeof kMagic, nonce_->get_buffer(), nonce_->length());
  store(key.data() + kIdAt, slot);
  store(key.data() + kIdAt + 4, slots_[slot].generation);
  return key;
}

ObjectId* Adapter::id_of(std::uint32_t slot) const {
  return poa::new_object_id(ByteView(key_of(slot)).subspan(kIdAt));
}

Adapter::Found Adapter::find(ByteView key, std::uint32_t& slot) const {
  if (key.size() != kKeyBytes || std::memcmp(key.data(), kMagic, sizeof kMagic) != 0 ||
      std::memcmp(key.data() + sizeof kMagic, nonce_->get_buffer(), nonce_->length()) != 0)
    return Found::NotOurs;
  slot = load<std::uint32_t>(key.data() + kIdAt);
  if (slot >= slots_.size()) return Found::Inactive;
  const Slot& s = slots_[slot];
  const bool active = s.servant && !s.going && s.generation == load<std::uint32_t>(key.data() + kIdAt + 4);
  return active ? Found::Yes : Found::Inactive;
}

std::uint32_t Adapter::slot_of(const ObjectId& id) const {
  if (id.length() != kKeyBytes - kIdAt) return 0;
  const auto slot = load<std::uint32_t>(id.get_buffer());
  const bool made = slot < slots_.size() && slots_[slot].generation != 0 &&
                    slots_[slot].generation == load<std::uint32_t>(id.get_buffer() + 4);
  return made ? slot : 0;
}

std::uint32_t Adapter::new_slot() {
  check();
  std::uint32_t slot = free_;
  if (slot != 0) {
    free_ = slots_[slot].next_free;
  } else {
    slot = static_cast<std::uint32_t>(slots_.size());
    if (slot > kMostObjects)
      orb::raise<CORBA::NO_MEMORY>(poa::kTooManyObjects, CORBA::COMPLETED_NO, "too many objects");
    slots_.emplace_back();
  }
  if (++slots_[slot].generation == 0) slots_[slot].generation = 1;
  return slot;
}

void Adapter::fill(std::uint32_t slot, Servant servant) {
  numbers_.insert(servant, slot);
  slots_[slot].servant = servant;
  servant->_add_ref();
}

std::uint32_t Adapter::activate(Servant servant) {
  const std::uint32_t slot = new_slot();
  fill(slot, servant);
  return slot;
}

std::uint32_t Adapter::slot_for(Servant servant) {
  check();
  if (!servant) nil_argument();
  const std::uint32_t* const number = numbers_.find(servant);
  return number ? *number : activate(servant);
}

void Adapter::deactivate(std::uint32_t slot) noexcept {
  numbers_.erase(slots_[slot].servant);
  slots_[slot].going = true;
  if (slots_[slot].requests == 0) let_go(slot);
}

// The servant's destructor may call the adapter.
void Adapter::let_go(std::uint32_t slot) noexcept {
  Slot& s = slots_[slot];
  Servant const servant = s.servant;
  s.servant = nullptr;
  s.going = false;
  s.next_free = free_;
  free_ = slot;
  servant->_remove_ref();
}

void Adapter::end() noexcept {
  if (!orb_) return;
  orb_ = nullptr;
  for (std::uint32_t slot = 1; slot < slots_.size(); ++slot)
    if (slots_[slot].servant && !slots_[slot].going) deactivate(slot);
}

CORBA::Object_ptr Adapter::reference(std::uint32_t slot, const char* repository_id) {
  check();
  const char* const type = repository_id              ? repository_id
                           : slots_[slot].servant ? slots_[slot].servant->_callis_skeleton().repository_ids[0]
                                                      : "";
  return static_cast<Server*>(orb_->serving())->make_reference(type, key_of(slot));
}

constinit Adapter::Upcall* Adapter::Upcall::innermost_ = nullptr;

Adapter::Upcall::Upcall(Adapter& adapter, std::uint32_t slot)
    : adapter_(adapter), slot_(slot), servant_(adapter.slots_[slot].servant), outer_(innermost_) {
  ++adapter_.slots_[slot_].requests;
  innermost_ = this;
  adapter_._add_ref();
}

Adapter::Upcall::~Upcall() {
  innermost_ = outer_;
  Slot& s = adapter_.slots_[slot_];
  if (--s.requests == 0 && s.going) adapter_.let_go(slot_);
  adapter_._remove_ref();
}

// --- PortableServer::POA ---

POA_ptr Adapter::create_POA(const char*, POAManager_ptr, const CORBA::PolicyList&) { not_in_profile(); }
POA_ptr Adapter::find_POA(const char*, CORBA::Boolean) { classic::raise<AdapterNonExistent>(); }
void Adapter::destroy(CORBA::Boolean, CORBA::Boolean wait_for_completion) {
  check();
  if (wait_for_completion && Loop::instance().nested() != 0)
    orb::raise<CORBA::BAD_INV_ORDER>(orb::omg(3), CORBA::COMPLETED_NO, "waiting for requests in an upcall");
  end();
}
char* Adapter::the_name() { return CORBA::string_dup("RootPOA"); }
POAManager_ptr Adapter::the_POAManager() { return POAManager::_duplicate(manager_.in()); }
POAManagerFactory_ptr Adapter::the_POAManagerFactory() { not_in_profile(); }
ObjectId* Adapter::id() { return new ObjectId(nonce_.in()); }
void Adapter::the_activator(AdapterActivator_ptr) { not_in_profile(); }
ServantManager_ptr Adapter::get_servant_manager() { classic::raise<WrongPolicy>(); }
void Adapter::set_servant_manager(ServantManager_ptr) { classic::raise<WrongPolicy>(); }
Servant Adapter::get_servant() { classic::raise<WrongPolicy>(); }
void Adapter::set_servant(Servant) { classic::raise<WrongPolicy>(); }

ObjectId* Adapter::activate_object(Servant servant) {
  check();
  if (!servant) nil_argument();
  if (numbers_.contains(servant)) classic::raise<ServantAlreadyActive>();
  return id_of(activate(servant));
}

void Adapter::activate_object_with_id(const ObjectId& id, Servant servant) {
  check();
  if (!servant) nil_argument();
  const std::uint32_t slot = slot_of(id);
  if (slot == 0) orb::raise<CORBA::BAD_PARAM>(orb::omg(14), CORBA::COMPLETED_NO, "no id of this adapter's");
  if (slots_[slot].servant) classic::raise<ObjectAlreadyActive>();
  if (numbers_.contains(servant)) classic::raise<ServantAlreadyActive>();
  fill(slot, servant);
  for (std::uint32_t* at = &free_; *at != 0; at = &slots_[*at].next_free) {
    if (*at != slot) continue;
    *at = slots_[slot].next_free;
    break;
  }
}

void Adapter::deactivate_object(const ObjectId& id) {
  check();
  const std::uint32_t slot = slot_of(id);
  if (!slots_[slot].servant || slots_[slot].going) classic::raise<ObjectNotActive>();
  deactivate(slot);
}

CORBA::Object_ptr Adapter::create_reference(const char* repository_id) {
  return reference(new_slot(), repository_id ? repository_id : "");
}

CORBA::Object_ptr Adapter::create_reference_with_id(const ObjectId& id, const char* repository_id) {
  check();
  const std::uint32_t slot = slot_of(id);
  if (slot == 0) orb::raise<CORBA::BAD_PARAM>(orb::omg(14), CORBA::COMPLETED_NO, "no id of this adapter's");
  return reference(slot, repository_id ? repository_id : "");
}

ObjectId* Adapter::servant_to_id(Servant servant) { return id_of(slot_for(servant)); }
CORBA::Object_ptr Adapter::servant_to_reference(Servant servant) { return reference(slot_for(servant)); }

std::uint32_t Adapter::slot_in(CORBA::Object_ptr object) const {
  check();
  const orb::Reference* const r = reference_or_null(object);
  if (!r) nil_argument();
  std::uint32_t slot = 0;
  Place place;
  if (!first_place(r->ior(), orb_->limits(), place) || find(place.key, slot) == Found::NotOurs)
    classic::raise<WrongAdapter>();
  const ObjectId_var id(poa::new_object_id(place.key.subspan(kIdAt)));
  return slot_of(id.in());
}

Servant Adapter::reference_to_servant(CORBA::Object_ptr object) {
  const Slot& s = slots_[slot_in(object)];
  if (!s.servant || s.going) classic::raise<ObjectNotActive>();
  s.servant->_add_ref();
  return s.servant;
}

ObjectId* Adapter::reference_to_id(CORBA::Object_ptr object) {
  const std::uint32_t slot = slot_in(object);
  if (slot == 0) classic::raise<WrongAdapter>();
  return id_of(slot);
}

Servant Adapter::id_to_servant(const ObjectId& id) {
  check();
  const Slot& s = slots_[slot_of(id)];
  if (!s.servant || s.going) classic::raise<ObjectNotActive>();
  s.servant->_add_ref();
  return s.servant;
}

CORBA::Object_ptr Adapter::id_to_reference(const ObjectId& id) {
  check();
  const std::uint32_t slot = slot_of(id);
  if (!slots_[slot].servant || slots_[slot].going) classic::raise<ObjectNotActive>();
  return reference(slot);
}

}  // namespace callis::micro

// --- Servants (poa/servant/servant.h) ---

namespace PortableServer::inline callis_orb {

ServantBase::~ServantBase() = default;

POA_ptr ServantBase::_default_POA() {
  callis::micro::Orb* const orb = callis::micro::oldest_serving();
  if (!orb)
    callis::orb::raise<CORBA::OBJ_ADAPTER>(callis::orb::kNoAdapter, CORBA::COMPLETED_NO, "no ORB has a root POA");
  const CORBA::Object_var root(orb->serving()->root());
  return POA::_narrow(root.in());
}

CORBA::Boolean ServantBase::_is_a(const char* logical_type_id) {
  if (!logical_type_id) return false;
  for (const char* const* id = _callis_skeleton().repository_ids; *id; ++id)
    if (std::strcmp(*id, logical_type_id) == 0) return true;
  return std::strcmp(logical_type_id, "IDL:omg.org/CORBA/Object:1.0") == 0;
}

CORBA::Boolean ServantBase::_non_existent() { return false; }

void ServantBase::_add_ref() { count_.fetch_add(1, std::memory_order_relaxed); }

void ServantBase::_remove_ref() {
  if (count_.fetch_sub(1, std::memory_order_acq_rel) == 1) delete this;
}

CORBA::ULong ServantBase::_refcount_value() { return count_.load(std::memory_order_relaxed); }

}  // namespace PortableServer::inline callis_orb

namespace callis::poa {

PortableServer::POA_ptr duplicate_poa(PortableServer::POA_ptr poa) { return PortableServer::POA::_duplicate(poa); }
void release_poa(PortableServer::POA_ptr poa) { CORBA::release(poa); }

// Inside an upcall on the servant: the called object.
void* this_reference(PortableServer::ServantBase& servant, const orb::InterfaceLink& link) {
  const auto* const upcall = micro::Adapter::Upcall::innermost();
  CORBA::Object_var object;
  if (upcall && upcall->servant() == &servant) {
    object = upcall->adapter().reference(upcall->slot());
  } else {
    const PortableServer::POA_var poa(servant._default_POA());
    object = poa->servant_to_reference(&servant);
  }
  return orb::unchecked_narrow(object.in(), link);
}

// There is one adapter, where the servant is active or will be.
void* activated_reference(PortableServer::ServantBase& servant, const orb::InterfaceLink& link) {
  return this_reference(servant, link);
}

}  // namespace callis::poa
