// SPDX-License-Identifier: Apache-2.0
// Finding of adapters and objects for requests, and the changes to both.
#include <callis/base/blocking_scope.h>
#include <callis/base/endian.h>
#include <callis/orb/core/interception.h>
#include <callis/orb/server/main_thread.h>
#include <callis/poa/adapter/adapter.h>
#include <callis/poa/adapter/registry.h>
#include <callis/poa/adapter/warnings.h>

namespace callis::poa {
namespace {

std::string_view text_of(ByteView bytes) { return {reinterpret_cast<const char*>(bytes.data()), bytes.size()}; }

}  // namespace

void Registry::Guard::unlock() {
  if (!lock_.owns_lock()) return;
  Adapter* gone = std::exchange(registry_->gone_, nullptr);
  registry_->gone_end_ = &registry_->gone_;
  Manager* managers = std::exchange(registry_->gone_managers_, nullptr);
  lock_.unlock();
  while (gone) {
    Adapter* const adapter = std::exchange(gone, gone->next_gone);
    if (adapter->has_put_off()) {
      adapter->on_demand()->end_put_off();
    } else {
      if (adapter->notes()) adapter->notes()->gone();
      if (adapter->on_demand()) adapter->on_demand()->gone();
      if (adapter->children()) adapter->children()->gone();
    }
    CORBA::release(adapter);
  }
  while (managers) CORBA::release(std::exchange(managers, managers->next_gone));
}

// How often a main thread that waits for upcalls to end looks whether any of them waits for it.
constexpr Duration kMainThreadLooks{2};

void Registry::Guard::wait() {
  if (registry_->gone_) {  // let go first, then let the caller look again
    unlock();
    relock();
  } else if (orb::MainThread* const main = registry_->options_.main_thread; main && main->is_this_thread()) {
    lock_.unlock();
    const bool ran = main->run_one();
    lock_.lock();
    if (!ran) registry_->changed_.wait_for(lock_, kMainThreadLooks);
  } else {
    const BlockingScope blocked;
    registry_->changed_.wait(lock_);
  }
}

bool Registry::Guard::wait_until(Deadline deadline) {
  if (registry_->gone_ || deadline.is_never()) {
    wait();
    return true;
  }
  const BlockingScope blocked;
  return registry_->changed_.wait_until(lock_, deadline.time()) == std::cv_status::no_timeout;
}

Registry::Registry(std::unique_ptr<References> references, const Options& options)
    : references_(std::move(references)), options_(options), prefix_(draw_nonce()),
      table_(*this, load<std::uint64_t>(draw_nonce().data()), load<std::uint64_t>(draw_nonce().data())) {}

Registry::~Registry() = default;

// --- the way of a request ---

// Looks in the index. Only programs that can make hidden slots, or keys with hints and the like, look for them.
Slot* Registry::find_by_key(ByteView key) {
  return CALLIS_HAS(other_keys) ? OtherKeys::find(table_, prefix_.nonce(), key) : table_.find(key).slot;
}

// Also a System key may stand in the index: that of a reference made before its object was activated.
Slot* Registry::find_otherwise(ByteView key) {
  Slot* const slot = find_by_key(key);
  if (!slot || slot->adapter->gate() == Gate::Active) return slot;
  table_.leave(slot);
  return nullptr;
}

[[gnu::cold, gnu::noinline]] Slot* Registry::judge(Slot* noted, ByteView key) {
  SystemId id;
  const bool right = prefix_.parse(key, id) && ObjectTable::pins(*noted, id.generation) &&
                     noted->adapter_tag == id.adapter && noted->key_bytes == 0;
  if (right && noted->adapter->gate() == Gate::Active) return noted;
  table_.leave(noted);
  return right ? nullptr : find_otherwise(key);
}

[[gnu::cold, gnu::noinline]] Slot* Registry::find_active_slowly(ByteView key) {
  SystemId id;
  Slot* const slot = prefix_.parse(key, id) ? table_.enter(id.slot, id.generation) : nullptr;
  return slot ? judge(slot, key) : find_otherwise(key);
}

// All other ways are taken by calling last, so that nothing has to be kept for them.
Slot* Registry::find_active(ByteView key) {
  SystemId id;
  if (!prefix_.parse(key, id)) return find_otherwise(key);
  orb::PinRecord* const pins = orb::pin_record;
  if (!pins || !pins->takes_two()) [[unlikely]] return find_active_slowly(key);
  if (id.slot >= table_.size()) [[unlikely]] return find_otherwise(key);
  Slot& slot = table_.note(id.slot, *pins);
  // The pin stands before the gate is read, and a thread that closes the gate looks for pins afterwards: one of the
  // two sees the other.
  if (!ObjectTable::pins_plainly(slot, id.generation) || !slot.is_of_system_key(id.adapter) ||
      slot.adapter->gate() != Gate::Active) [[unlikely]]
    return judge(&slot, key);
  return &slot;
}

Slot* Registry::enter_locked(ByteView key, const ParsedKey& parsed, Adapter& adapter, bool& ending) {
  SystemId id;
  std::uint32_t i = kNoSlot;
  if (parsed.kind == KeyKind::System && prefix_.parse(key, id)) {
    const Slot* s = table_.at(id.slot);
    if (s && s->adapter == &adapter && s->key_bytes == 0 && s->generation() == id.generation) i = id.slot;
  }
  if (i == kNoSlot) i = is_hinted(parsed.kind) ? table_.lookup(adapter.key_of(parsed.object_id)) : table_.lookup(key);
  if (i == kNoSlot) return nullptr;
  // Under the lock an Active slot stays Active, so that entering succeeds or touches nothing.
  Slot* slot = table_.enter(i, table_.at(i)->generation());
  ending = !slot;
  return slot;
}

bool Registry::hold(Guard& guard, Deadline deadline) {
  ++held_;
  const bool in_time = guard.wait_until(deadline);
  --held_;
  return in_time;
}

Registry::Entry Registry::enter_back(ByteView key) {
  Slot* const slot = find_active(key);
  if (!slot) return enter_slowly(key, true);
  if (slot->adapter->bidirectional()) return {slot, Refusal::None};
  table_.leave(slot);
  return {nullptr, Refusal::NotBidirectional};
}

Registry::Entry Registry::enter_slowly(ByteView key, bool back) {
  const ParsedKey parsed = parse_key(key, prefix_.nonce());
  if (parsed.kind == KeyKind::Foreign) return {nullptr, Refusal::NoAdapter};
  std::optional<Deadline> deadline;
  bool asked = false;
  Guard guard(*this);
  for (;;) {
    Adapter* const adapter = find(parsed);
    Adapter* in_charge = adapter;
    if (!adapter && CALLIS_HAS(adapters)) in_charge = ChildAdapters::in_charge_of(*this, parsed, !asked);
    if (!in_charge) return {nullptr, Refusal::NoAdapter};
    if (back && adapter && !adapter->bidirectional()) return {nullptr, Refusal::NotBidirectional};
    switch (in_charge->gate()) {
      case Gate::Discarding: return {nullptr, Refusal::Discarding};
      case Gate::Inactive: return {nullptr, Refusal::Inactive};
      case Gate::Destroying: return {nullptr, Refusal::Destroying};
      case Gate::Holding: break;
      case Gate::Active: {
        if (!adapter) {
          asked = true;
          if (!ChildAdapters::activate_path(guard, parsed.path)) return {nullptr, Refusal::NoAdapter};
          continue;
        }
        bool ending = false;
        if (Slot* slot = enter_locked(key, parsed, *adapter, ending)) return {slot, Refusal::None};
        const Missing missing = adapter->missing();
        if (missing.slot) return {missing.slot, Refusal::None};
        if (missing.refusal != Refusal::None) return {nullptr, missing.refusal};
        // To be incarnated, after the activation that is ending has ended, unless it waits for us.
        if (ending && adapter->in_upcall_on(adapter->id_in(key))) return {nullptr, Refusal::NoObject};
        if (ending) break;
        adapter->on_demand()->incarnate(guard, key);
        continue;
      }
    }
    if (stopping_) return {nullptr, Refusal::Destroying};
    if (held_ >= options_.max_held) return {nullptr, Refusal::Discarding};
    if (!deadline) deadline = Deadline::in(options_.hold_timeout);
    if (!(CALLIS_HAS(warnings) ? hold_and_warn(guard, parsed, *deadline) : hold(guard, *deadline)))
      return {nullptr, Refusal::HeldTooLong};
  }
}

orb::Locate Registry::locate(ByteView key) {
  const ParsedKey parsed = parse_key(key, prefix_.nonce());
  if (parsed.kind == KeyKind::Foreign) return orb::Locate::Unknown;
  Slot* slot = nullptr;
  orb::Locate otherwise;
  {
    Guard guard(*this);
    Adapter* const adapter = find(parsed);
    Adapter* in_charge = adapter;
    if (!adapter && CALLIS_HAS(adapters)) in_charge = ChildAdapters::in_charge_of(*this, parsed, true);
    if (!in_charge) return orb::Locate::Unknown;
    const Gate gate = in_charge->gate();
    otherwise = gate == Gate::Active ? orb::Locate::Ask : orb::Locate::Here;
    if (!adapter) return otherwise;
    // A persistent adapter may come again.
    if (gate == Gate::Destroying) return is_persistent(parsed.kind) ? orb::Locate::Here : orb::Locate::Unknown;
    bool ending = false;
    slot = enter_locked(key, parsed, *adapter, ending);
    if (!slot) {
      const Missing missing = adapter->missing();
      if (missing.refusal != Refusal::None) return orb::Locate::Unknown;
      slot = missing.slot;
    }
    if (!slot) return otherwise;
  }
  const orb::Locate found = slot->servant ? orb::Locate::Here : otherwise;
  table_.leave(slot);
  return found;
}

orb::Collocation Registry::collocation(ByteView key) {
  const ParsedKey parsed = parse_key(key, prefix_.nonce());
  Guard guard(*this);
  Adapter* const adapter = parsed.kind == KeyKind::Foreign ? nullptr : find(parsed);
  return adapter ? adapter->collocation() : options_.collocation;
}

void Registry::stop_holding() {
  const std::lock_guard lock(mutex_);
  stopping_ = true;
  changed_.notify_all();
}

void Registry::idle() noexcept {
  const std::lock_guard lock(mutex_);
  changed_.notify_all();
}

// --- administration ---

void Registry::add(Manager& manager) {
  managers_.push_back(&manager);
  duplicate_local(&manager);
}

Manager* Registry::find_manager(std::string_view id) {
  for (Manager* m : managers_)
    if (m->id() == id) return m;
  return nullptr;
}

void Registry::forget(Manager& manager) {
  std::size_t kept = 0;
  for (Manager* m : managers_)
    if (m != &manager) managers_[kept++] = m;
  while (managers_.size() != kept) managers_.pop_back();
  manager.next_gone = gone_managers_;
  gone_managers_ = &manager;
}

bool Registry::add(Adapter& adapter, std::uint32_t& tag) {
  Manager& manager = adapter.manager();
  bool new_manager = true;
  for (const Manager* m : managers_) new_manager &= m != &manager;
  if (new_manager) managers_.reserve(managers_.size() + 1);
  if (free_place_ == kNoPlace) {
    const auto n = static_cast<std::uint32_t>(places_.size());
    if (n == kNoPlace) return false;
    places_.emplace_back();
    free_place_ = n;
  }
  Place& place = places_[free_place_];
  tag = free_place_ | std::uint32_t{place.generation} << 16;
  free_place_ = place.next_free;
  place.adapter = &adapter;
  if (new_manager) add(manager);
  ++manager.adapters;
  return true;
}

void Registry::publish(Adapter& adapter) {
  if (!adapter.path().empty()) by_path_.insert(text_of(adapter.path()), &adapter);
}

void Registry::withdraw(Adapter& adapter, bool keep_manager) {
  const std::uint32_t at = adapter.tag() & 0xffff;
  Place& place = places_[at];
  place.adapter = nullptr;
  // Generation 0 marks a place whose generations are used up: no old key ever names a new adapter.
  if (++place.generation != 0) place.next_free = std::exchange(free_place_, at);
  if (--adapter.manager().adapters == 0 && !keep_manager) forget(adapter.manager());
}

void Registry::remove(Adapter& adapter) {
  withdraw(adapter, false);
  if (!adapter.path().empty()) by_path_.erase(text_of(adapter.path()));
  if (root == &adapter) {
    root = nullptr;
    while (!managers_.empty()) forget(*managers_.back());
  }
  let_go(adapter);
  notify();
}

void Registry::let_go(Adapter& adapter) {
  adapter.next_gone = nullptr;
  *gone_end_ = &adapter;
  gone_end_ = &adapter.next_gone;
}

Adapter* Registry::find(const ParsedKey& key) {
  if (!key.path.empty()) {
    Adapter* const* adapter = by_path_.find(text_of(key.path));
    return adapter && (*adapter)->key_kind() == key.kind ? *adapter : nullptr;
  }
  const std::size_t i = key.adapter & 0xffff;
  if (i >= places_.size() || places_[i].generation != key.adapter >> 16) return nullptr;
  Adapter* adapter = places_[i].adapter;
  return adapter && adapter->key_kind() == key.kind ? adapter : nullptr;
}

Adapter* Registry::sole_adapter_of(PortableServer::ServantBase* servant) const {
  Adapter* found = nullptr;
  for (const Place& place : places_) {
    if (!place.adapter || !place.adapter->slot_of(servant)) continue;
    if (found) return nullptr;
    found = place.adapter;
  }
  return found;
}

void Registry::manager_changed(const Manager& manager) {
  for (const Place& place : places_)
    if (place.adapter && &place.adapter->manager() == &manager) place.adapter->update_gate();
  notify();
}

bool Registry::busy(const Manager& manager) {
  return table_.any_pinned([&](const Slot& s) { return s.adapter && &s.adapter->manager() == &manager; });
}

void Registry::retire(std::uint32_t slot) noexcept {
  ServantsOnDemand* const on_demand = table_.at(slot)->adapter->on_demand();
  if (!on_demand || !on_demand->puts_off()) retire_now(slot);
}

void Registry::retire_now(std::uint32_t slot) noexcept {
  const Slot& s = *table_.at(slot);  // Reaping: nobody else touches it
  PortableServer::ServantBase* const servant = s.servant;
  Adapter* const adapter = s.adapter;  // there as long as its slot
  const bool consumed = adapter->on_demand() && adapter->on_demand()->etherealize(slot);
  {
    Guard guard(*this);
    table_.release(slot);
    adapter->object_gone(servant);
    notify();
  }
  if (servant && !consumed) servant->_remove_ref();
}

}  // namespace callis::poa
