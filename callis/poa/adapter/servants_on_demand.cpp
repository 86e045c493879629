// SPDX-License-Identifier: Apache-2.0
// Servants of objects that are not active: default servants, and what ServantActivators and ServantLocators are asked
// and told.
#include <callis/orb/context/upcall.h>
#include <callis/poa/adapter/adapter.h>
#include <callis/poa/adapter/main_thread_turn.h>
#include <callis/poa/adapter/turn.h>
#include <callis/poa/servant/minor_codes.h>
#include <utility>

CALLIS_PROVIDE(servants_on_demand);

namespace callis::poa {

using namespace PortableServer;

ServantsOnDemand* ServantsOnDemand::make(Adapter& adapter) {
  if (adapter.policies().processing == USE_ACTIVE_OBJECT_MAP_ONLY) return nullptr;
  return new ServantsOnDemand(adapter);
}

ServantsOnDemand::ServantsOnDemand(Adapter& adapter) : adapter_(adapter), registry_(adapter.registry()) {}

ServantsOnDemand::~ServantsOnDemand() = default;

bool ServantsOnDemand::has_activations() const {
  return adapter_.policies().servant_manager() && adapter_.policies().retain();
}

std::recursive_mutex& ServantsOnDemand::activation() {
  return adapter_.policies().single_thread() ? adapter_.serial() : activation_;
}

ServantManager_ptr ServantsOnDemand::get_servant_manager() {
  if (!adapter_.policies().servant_manager()) raise<POA::WrongPolicy>();
  Registry::Guard guard(registry_);
  adapter_.check_not_gone();
  if (activator_.in()) return duplicate_local<ServantManager>(activator_.in());
  return duplicate_local<ServantManager>(locator_.in());
}

void ServantsOnDemand::set_servant_manager(ServantManager_ptr manager) {
  if (!adapter_.policies().servant_manager()) raise<POA::WrongPolicy>();
  const ServantActivator_var activator = ServantActivator::_narrow(manager);
  const ServantLocator_var locator = ServantLocator::_narrow(manager);
  Registry::Guard guard(registry_);
  adapter_.check_alive();
  if (activator_.in() || locator_.in()) raise<CORBA::BAD_INV_ORDER>(orb::omg(6), CORBA::COMPLETED_NO);
  if (adapter_.policies().retain() ? !activator.in() : !locator.in())
    raise<CORBA::OBJ_ADAPTER>(orb::omg(4), CORBA::COMPLETED_NO,
                              "not the kind of servant manager that the adapter needs");
  if (adapter_.policies().retain()) {
    activator_ = activator;
  } else {
    put_hidden(nullptr);
    locator_ = locator;
  }
}

Servant ServantsOnDemand::get_servant() {
  if (!adapter_.policies().default_servant()) raise<POA::WrongPolicy>();
  Registry::Guard guard(registry_);
  adapter_.check_not_gone();
  if (!adapter_.is_active(hidden_)) raise<POA::NoServant>();
  return adapter_.counted_servant_at(hidden_, guard);
}

void ServantsOnDemand::set_servant(Servant servant) {
  if (!adapter_.policies().default_servant()) raise<POA::WrongPolicy>();
  if (!servant) raise<CORBA::BAD_PARAM>(kNilArgument, CORBA::COMPLETED_NO, "nil servant");
  servant->_add_ref();
  ServantBase_var count(servant);
  Registry::Guard guard(registry_);
  adapter_.check_alive();
  const std::uint32_t old = hidden_;
  put_hidden(servant);
  (void)count._retn();
  const bool ended = old != kNoSlot && adapter_.take_out(old);
  guard.unlock();
  if (ended) registry_.retire(old);
}

void ServantsOnDemand::put_hidden(Servant servant) {
  const std::uint32_t tag = adapter_.tag();
  Activation activation{servant, nullptr, nullptr, &adapter_, tag, Slot::kHidden};
  if (servant) {
    activation.self = servant->_callis_self();
    activation.skeleton = &servant->_callis_skeleton();
  }
  std::vector<Byte> key;
  append(key, adapter_.key_prefix());
  if (adapter_.key_kind() == KeyKind::System) append(key, {reinterpret_cast<const Byte*>(&tag), sizeof tag});
  hidden_ = adapter_.put_hidden(activation, key);
}

Missing ServantsOnDemand::missing() {
  if (has_activations()) return {nullptr, activator_.in() ? Refusal::None : Refusal::NoServantManager};
  const Refusal none = adapter_.policies().servant_manager() ? Refusal::NoServantManager : Refusal::NoDefaultServant;
  if (!adapter_.is_active(hidden_)) return {nullptr, none};
  return {registry_.table().enter(hidden_, registry_.table().at(hidden_)->generation()), Refusal::None};
}

// --- activations ---

std::uint32_t* ServantsOnDemand::activations_of(Servant servant) {
  return adapter_.policies().servant_manager() ? &activations_.insert(servant, 0) : nullptr;
}

void ServantsOnDemand::object_gone(Servant servant) {
  std::uint32_t* const active = activations_.find(servant);
  if (active && --*active == 0) activations_.erase(servant);
}

std::uint32_t ServantsOnDemand::waiting_ends(std::uint32_t left) {
  if (left == 0) cleaning_up_ = false;
  return adapter_.is_over() ? 0 : put_off_;
}

void ServantsOnDemand::incarnate(Registry::Guard& guard, ByteView key) {
  {
    const classic::ReferenceVar<Adapter> counted(duplicate_local(&adapter_));
    guard.unlock();
    orb::MainThread* const thread = adapter_.main_thread();
    if (!thread)
      incarnate_here(key);
    else if (!run_on(*thread, [&] { incarnate_here(key); }))
      raise<CORBA::TRANSIENT>(orb::omg(4), CORBA::COMPLETED_NO, "the ORB is being shut down");
  }
  guard.relock();
}

void ServantsOnDemand::incarnate_here(ByteView key) {
  const Turn turn(activation());
  const ByteView id = adapter_.id_in(key);
  ServantActivator_var activator;  // the adapter may be gone before it is told
  {
    Registry::Guard guard(registry_);
    activator = duplicate_local(activator_.in());
    if (adapter_.gate() != Gate::Active || adapter_.find_object(id) != kNoSlot) return;  // somebody was faster
  }
  const ObjectId_var object_id = new_object_id(id);
  ServantBase_var count;
  {
    const orb::Upcall upcall(orb::Upcall::orb_of_upcall(), adapter_, nullptr, key);
    const Servant servant = activator->incarnate(object_id.in(), &adapter_);
    if (!servant) raise<CORBA::OBJ_ADAPTER>(orb::omg(7), CORBA::COMPLETED_NO, "incarnate returned nil");
    servant->_add_ref();
    count = servant;
  }
  {
    Registry::Guard guard(registry_);
    if (!adapter_.destroying()) {
      if (adapter_.find_object(id) != kNoSlot) return;  // incarnate() has activated it
      if (adapter_.policies().unique() && adapter_.slot_of(count.in()))
        raise<CORBA::OBJ_ADAPTER>(orb::omg(5), CORBA::COMPLETED_NO, "incarnate returned a servant that is active");
      adapter_.put(count.in(), id, Slot::kIncarnated);
      (void)count._retn();
      return;
    }
  }
  // The adapter was destroyed meanwhile: the new servant must go again.
  const Servant servant = count.in();
  count = nullptr;
  try {
    activator->etherealize(object_id.in(), &adapter_, servant, true, false);
  } catch (...) {  // ignored, as the specification says
  }
}

void ServantsOnDemand::gone() noexcept {
  ServantActivator_var activator;  // let go without the lock
  ServantLocator_var locator;
  const Registry::Guard guard(registry_);
  std::swap(activator.inout(), activator_.inout());
  std::swap(locator.inout(), locator_.inout());
}

bool ServantsOnDemand::etherealize(std::uint32_t slot) noexcept {
  if (!has_activations()) return false;
  bool told = false;
  orb::MainThread* const thread = adapter_.main_thread();
  // If nobody serves the main thread any more, do not wait for it.
  if (!thread || !run_on(*thread, [&] { told = etherealize_here(slot); })) told = etherealize_here(slot);
  return told;
}

bool ServantsOnDemand::etherealize_here(std::uint32_t slot) noexcept {
  bool told = false;
  try {
    const Turn turn(activation());
    const Servant servant = registry_.table().at(slot)->servant;
    std::vector<Byte> key;
    bool cleanup, remaining;
    {
      Registry::Guard guard(registry_);
      if (!activator_.in() || (adapter_.destroying() && !adapter_.etherealizes())) return false;
      cleanup = adapter_.destroying() || cleaning_up_;
      const std::uint32_t* const active = activations_.find(servant);
      remaining = active && *active > 1;
      key = adapter_.key_at(slot);
    }
    const ObjectId_var id = new_object_id(adapter_.id_in(key));
    // A call that would wait for this thread's own upcall is refused.
    const orb::Upcall upcall(orb::Upcall::orb_of_upcall(), adapter_, nullptr, key);
    told = true;
    // A servant that incarnate() returned still has its own count. For any other servant, etherealize() takes over
    // the adapter's count.
    if (registry_.table().at(slot)->incarnated()) servant->_remove_ref();
    activator_->etherealize(id.in(), &adapter_, servant, cleanup, remaining);
  } catch (...) {  // ignored, as the specification says
  }
  return told;
}

bool ServantsOnDemand::puts_off() {
  if (!has_activations()) return false;
  Registry::Guard guard(registry_);
  if (!adapter_.destroying() || !adapter_.etherealizes() || !activator_.in() || adapter_.is_over()) return false;
  ++put_off_;
  adapter_.finish_if_empty();
  return true;
}

void ServantsOnDemand::end_put_off() noexcept {
  const ObjectTable& table = registry_.table();
  const auto put_off = [&](std::uint32_t i) {
    const Registry::Guard guard(registry_);
    return table.at(i)->state() == SlotState::Reaping && table.at(i)->adapter == &adapter_;
  };
  for (std::uint32_t i = 0; i < table.size(); ++i)
    if (put_off(i)) registry_.retire_now(i);
}

// --- with their manager ---

bool ServantsOnDemand::has_activator(const Adapter& adapter) {
  return adapter.on_demand() && adapter.on_demand()->activator_.in();
}

bool ServantsOnDemand::is_etherealizing(Registry& registry, const Manager& manager) {
  const ObjectTable& table = registry.table();
  for (std::uint32_t i = 0; i < table.size(); ++i) {
    const Slot& s = *table.at(i);
    if ((s.state() == SlotState::Draining || s.state() == SlotState::Reaping) && &s.adapter->manager() == &manager &&
        has_activator(*s.adapter))
      return true;
  }
  return false;
}

void ServantsOnDemand::etherealize_all(Registry& registry, const Manager& manager) {
  Registry::Guard guard(registry);
  ObjectTable& table = registry.table();
  for (std::uint32_t i = 0; i < table.size(); ++i) {
    const Slot& s = *table.at(i);
    if (s.state() != SlotState::Active || &s.adapter->manager() != &manager || !has_activator(*s.adapter)) continue;
    s.adapter->on_demand()->cleaning_up_ = true;
    if (s.adapter->take_out(i)) {
      guard.unlock();
      registry.retire(i);
      guard.relock();
    }
  }
}

}  // namespace callis::poa
