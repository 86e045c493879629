// SPDX-License-Identifier: Apache-2.0
// The adapter and what the application hangs into it: servant managers, default servant, adapter activator.
#include <callis/poa/adapter/adapter.h>
#include <callis/poa/adapter/adapter_making.h>
#include <callis/poa/adapter/main_thread_turn.h>
#include <callis/poa/servant/minor_codes.h>
#include <callis/poa/adapter/turn.h>
#include <callis/poa/adapter/upcall.h>
#include <algorithm>

namespace callis::poa {

using namespace PortableServer;

// --- adapters on demand ---

namespace {
constinit thread_local AdapterMaking* making = nullptr;
}

AdapterMaking::AdapterMaking(Registry& registry) : registry_(registry), outer_(making) { making = this; }

AdapterMaking::~AdapterMaking() {
  making = outer_;
  Registry::Guard guard(registry_);
  for (const auto& adapter : made_) {
    adapter.in()->being_made_ = false;
    adapter.in()->update_gate();
  }
  registry_.notify();
}

void AdapterMaking::note(Adapter& adapter) {
  if (!making || &making->registry_ != adapter.registry().get()) return;
  making->made_.emplace_back(duplicate_local(&adapter));
  adapter.being_made_ = true;
}

AdapterActivator_ptr Adapter::the_activator() {
  Guard guard(*registry_);
  check_not_gone();
  return duplicate_local(adapter_activator_.in());
}

void Adapter::the_activator(AdapterActivator_ptr activator) {
  AdapterActivator_var next(duplicate_local(activator));  // then what it replaces, let go without the lock
  Guard guard(*registry_);
  check_alive();
  if (adapter_activator_.in()) --registry_->activators;
  if (activator) ++registry_->activators;
  std::swap(next.inout(), adapter_activator_.inout());
}

// An activator that makes an adapter again waits for the end of the one before, and so for upcalls in that. Nobody waits for
// that with the turn of activators, which those upcalls may want.
void Adapter::await_end_of(const std::string& name) {
  Guard guard(*registry_);
  for (;;) {
    Adapter* const* child = children_.find(name);
    if (!child || !(*child)->destroying_) return;
    if (in_upcall_of(*registry_))
      raise<CORBA::BAD_INV_ORDER>(orb::omg(3), CORBA::COMPLETED_NO, "the adapter of that name is being destroyed, which may wait for this upcall");
    guard.wait();
  }
}

Adapter* Adapter::find_or_activate(const std::string& name) {
  const Turn turn(registry_->activation());
  AdapterActivator_var activator;
  const auto find = [&]() -> Adapter* {
    Guard guard(*registry_);
    Adapter* const* child = children_.find(name);
    if (child && !(*child)->destroying_) return duplicate_local(*child);
    if (child) raise<CORBA::TRANSIENT>(orb::omg(4), CORBA::COMPLETED_NO, "the adapter is being destroyed");
    if (!activator.in() && !destroying_) activator = duplicate_local(adapter_activator_.in());
    return nullptr;
  };
  if (Adapter* found = find()) return found;
  if (!activator.in()) return nullptr;
  try {
    const AdapterMaking scope(*registry_);
    if (!activator->unknown_adapter(this, name.c_str())) return nullptr;
  } catch (...) {
    raise<CORBA::OBJ_ADAPTER>(orb::omg(1), CORBA::COMPLETED_NO, "exception in an AdapterActivator");
  }
  return find();
}

// --- default servant and servant managers ---

ServantManager_ptr Adapter::get_servant_manager() {
  if (!policies_.servant_manager()) raise<WrongPolicy>();
  Guard guard(*registry_);
  check_not_gone();
  if (activator_.in()) return duplicate_local<ServantManager>(activator_.in());
  return duplicate_local<ServantManager>(locator_.in());
}

void Adapter::set_servant_manager(ServantManager_ptr manager) {
  if (!policies_.servant_manager()) raise<WrongPolicy>();
  const ServantActivator_var activator = ServantActivator::_narrow(manager);
  const ServantLocator_var locator = ServantLocator::_narrow(manager);
  Guard guard(*registry_);
  check_alive();
  if (activator_.in() || locator_.in()) raise<CORBA::BAD_INV_ORDER>(orb::omg(6), CORBA::COMPLETED_NO);
  if (policies_.retain() ? !activator.in() : !locator.in())
    raise<CORBA::OBJ_ADAPTER>(orb::omg(4), CORBA::COMPLETED_NO, "not the kind of servant manager that the adapter needs");
  if (policies_.retain()) {
    activator_ = activator;
  } else {
    put_hidden(nullptr);
    locator_ = locator;
  }
}

Servant Adapter::get_servant() {
  if (!policies_.default_servant()) raise<WrongPolicy>();
  Guard guard(*registry_);
  check_not_gone();
  if (!is_active(hidden_)) raise<NoServant>();
  return counted_servant_at(hidden_, guard);
}

void Adapter::set_servant(Servant servant) {
  if (!policies_.default_servant()) raise<WrongPolicy>();
  if (!servant) raise<CORBA::BAD_PARAM>(kNilArgument, CORBA::COMPLETED_NO, "nil servant");
  servant->_add_ref();
  ServantBase_var count(servant);
  Guard guard(*registry_);
  check_alive();
  const std::uint32_t old = hidden_;
  put_hidden(servant);
  (void)count._retn();
  const bool ended = old != kNoSlot && take_out(old);
  guard.unlock();
  if (ended) registry_->retire(old);
}

void Adapter::put_hidden(Servant servant) {
  Activation activation{servant, nullptr, nullptr, this, tag_, true};
  if (servant) {
    activation.self = servant->_callis_self();
    activation.skeleton = &servant->_callis_skeleton();
  }
  Bytes key = key_prefix_;
  if (key_kind() == KeyKind::System) append(key, {reinterpret_cast<const Byte*>(&tag_), sizeof tag_});
  const std::uint32_t slot = registry_->table().activate(activation, key);
  if (slot == kNoSlot) raise<CORBA::NO_MEMORY>(kTooManyObjects, CORBA::COMPLETED_NO);
  hidden_ = slot;
  ++objects_;
}

Adapter::Missing Adapter::missing_here() {
  if (policies_.servant_manager() && policies_.retain())
    return {nullptr, activator_.in() ? Refusal::None : Refusal::NoServantManager};
  const Refusal none = policies_.servant_manager() ? Refusal::NoServantManager : Refusal::NoDefaultServant;
  if (!is_active(hidden_)) return {nullptr, none};
  return {registry_->table().enter(hidden_, registry_->table().at(hidden_)->generation()), Refusal::None};
}

void Adapter::incarnate(ByteView key) {
  orb::MainThread* const thread = main_thread();
  if (!thread) return incarnate_here(key);
  if (!run_on(*thread, [&] { incarnate_here(key); }))
    raise<CORBA::TRANSIENT>(orb::omg(4), CORBA::COMPLETED_NO, "the ORB is being shut down");
}

void Adapter::incarnate_here(ByteView key) {
  const Turn turn(activation());
  const ByteView id = id_in(key);
  {
    Guard guard(*registry_);
    if (gate() != Gate::Active || find_object(id) != kNoSlot) return;  // somebody was faster
  }
  const ObjectId_var object_id = new_object_id(id);
  ServantBase_var count;
  {
    const UpcallScope upcall(*registry_, *this, nullptr, key);
    const Servant servant = activator_->incarnate(object_id.in(), this);
    if (!servant) raise<CORBA::OBJ_ADAPTER>(orb::omg(7), CORBA::COMPLETED_NO, "incarnate returned nil");
    servant->_add_ref();
    count = servant;
  }
  {
    Guard guard(*registry_);
    if (!destroying_) {
      if (find_object(id) != kNoSlot) return;  // incarnate() has activated it
      if (policies_.unique() && by_servant_.contains(count.in()))
        raise<CORBA::OBJ_ADAPTER>(orb::omg(5), CORBA::COMPLETED_NO, "incarnate returned a servant that is active");
      put(count.in(), id);
      (void)count._retn();
      return;
    }
  }
  // The adapter was destroyed meanwhile: what was made must go again.
  try {
    activator_->etherealize(object_id.in(), this, count.in(), true, false);
  } catch (...) {  // ignored, as the specification says
  }
}

void Adapter::tell_activator(std::uint32_t slot) noexcept {
  orb::MainThread* const thread = main_thread();
  // Who serves the main thread no more is not waited for.
  if (!thread || !run_on(*thread, [&] { etherealize_here(slot); })) etherealize_here(slot);
}

void Adapter::etherealize_here(std::uint32_t slot) noexcept {
  try {
    const Turn turn(activation());
    const Servant servant = registry_->table().at(slot)->servant;
    Bytes key;
    bool cleanup, remaining;
    {
      Guard guard(*registry_);
      if (!activator_.in() || (destroying_ && !etherealizes_)) return;
      cleanup = destroying_ || cleaning_up_;
      const std::uint32_t* const active = activations_.find(servant);
      remaining = active && *active > 1;
      key = key_at(slot);
    }
    const ObjectId_var id = new_object_id(id_in(key));
    const UpcallScope upcall(*registry_, *this, nullptr, key);  // what would wait for this is told so
    activator_->etherealize(id.in(), this, servant, cleanup, remaining);
  } catch (...) {  // ignored, as the specification says
  }
}

bool Adapter::puts_off_here() {
  Guard guard(*registry_);
  if (!destroying_ || !etherealizes_ || !activator_.in() || over_) return false;
  ++put_off_;
  finish_if_empty();
  return true;
}

void Adapter::end_put_off(Adapter* adapter) noexcept {
  Registry& registry = *adapter->registry_;
  const ObjectTable& table = registry.table();
  const auto put_off = [&](std::uint32_t i) {
    const Guard guard(registry);
    return table.at(i)->state() == SlotState::Reaping && table.at(i)->adapter == adapter;
  };
  for (std::uint32_t i = 0; i < table.size(); ++i)
    if (put_off(i)) registry.retire_now(i);
}

bool Adapter::is_etherealizing(Registry& registry, const Manager& manager) {
  const ObjectTable& table = registry.table();
  for (std::uint32_t i = 0; i < table.size(); ++i) {
    const Slot& s = *table.at(i);
    if ((s.state() == SlotState::Draining || s.state() == SlotState::Reaping) && &s.adapter->manager() == &manager &&
        s.adapter->activator_.in())
      return true;
  }
  return false;
}

void Adapter::etherealize_all(Registry& registry, const Manager& manager) {
  Registry::Guard guard(registry);
  ObjectTable& table = registry.table();
  for (std::uint32_t i = 0; i < table.size(); ++i) {
    const Slot& s = *table.at(i);
    if (s.state() != SlotState::Active || &s.adapter->manager() != &manager || !s.adapter->activator_.in()) continue;
    s.adapter->cleaning_up_ = true;
    if (s.adapter->take_out(i)) {
      guard.unlock();
      registry.retire(i);
      guard.relock();
    }
  }
}

}  // namespace callis::poa
