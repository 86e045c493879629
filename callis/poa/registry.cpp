// SPDX-License-Identifier: Apache-2.0
#include <callis/poa/adapter.h>
#include <callis/poa/registry.h>

namespace callis::poa {

void Registry::Guard::unlock() {
  if (!lock_.owns_lock()) return;
  Adapter* gone = std::exchange(registry_->gone_, nullptr);
  lock_.unlock();
  while (gone) CORBA::release(std::exchange(gone, gone->next_gone));
}

void Registry::Guard::wait() {
  if (registry_->gone_) {  // let go first, then let the caller look again
    unlock();
    relock();
  } else {
    registry_->changed_.wait(lock_);
  }
}

bool Registry::Guard::wait_until(Deadline deadline) {
  if (registry_->gone_ || deadline.is_never()) {
    wait();
    return true;
  }
  return registry_->changed_.wait_until(lock_, deadline.time()) == std::cv_status::no_timeout;
}

Registry::Registry(std::unique_ptr<References> references, const Options& options)
    : references_(std::move(references)), options_(options), prefix_(draw_nonce()) {}

Registry::~Registry() = default;

// --- the way of a request ---

Slot* Registry::find_active(ByteView key) {
  SystemId id;
  Slot* slot = nullptr;
  if (prefix_.parse(key, id)) [[likely]] {
    slot = table_.enter(id.slot, id.generation);
    if (slot && (slot->adapter_tag != id.adapter || slot->key)) [[unlikely]] {
      table_.leave(slot);
      slot = nullptr;
    }
  }
  // Also a System key may stand in the index: that of a reference made before its object was activated.
  if (!slot) slot = table_.find(key).slot;
  // The pin stands before the gate is read, and whoever closes the gate looks for pins after it: one of the
  // two sees the other.
  if (slot && slot->adapter->gate() != Gate::Active) [[unlikely]] {
    table_.leave(slot);
    return nullptr;
  }
  return slot;
}

Slot* Registry::enter_locked(ByteView key, const ParsedKey& parsed, Adapter& adapter) {
  SystemId id;
  if (parsed.kind == KeyKind::System && prefix_.parse(key, id)) {
    const Slot* s = table_.at(id.slot);
    // Under the lock an Active slot stays Active, so that entering succeeds or touches nothing.
    if (s && s->adapter == &adapter && !s->key && s->generation() == id.generation)
      return table_.enter(id.slot, id.generation);
  }
  const std::uint32_t i = table_.lookup(key);
  return i == kNoSlot ? nullptr : table_.enter(i, table_.at(i)->generation());
}

Registry::Entry Registry::enter_slowly(ByteView key) {
  const ParsedKey parsed = parse_key(key, prefix_.nonce());
  if (parsed.kind == KeyKind::Foreign) return {nullptr, Refusal::NoAdapter};
  Deadline deadline;
  bool holding = false;
  Guard guard(*this);
  for (;;) {
    Adapter* adapter = find(parsed);
    if (!adapter) return {nullptr, Refusal::NoAdapter};
    switch (adapter->gate()) {
      case Gate::Active: {
        Slot* slot = enter_locked(key, parsed, *adapter);
        return {slot, slot ? Refusal::None : Refusal::NoObject};
      }
      case Gate::Discarding: return {nullptr, Refusal::Discarding};
      case Gate::Inactive: return {nullptr, Refusal::Inactive};
      case Gate::Destroying: return {nullptr, Refusal::Destroying};
      case Gate::Holding: break;
    }
    if (stopping_) return {nullptr, Refusal::Destroying};
    if (held_ >= options_.max_held) return {nullptr, Refusal::Discarding};
    if (!holding) deadline = Deadline::in(options_.hold_timeout);
    holding = true;
    ++held_;
    const bool in_time = guard.wait_until(deadline);
    --held_;
    if (!in_time) return {nullptr, Refusal::HeldTooLong};
  }
}

void Registry::stop_holding() {
  const std::lock_guard lock(mutex_);
  stopping_ = true;
  changed_.notify_all();
}

bool Registry::exists(ByteView key) {
  const ParsedKey parsed = parse_key(key, prefix_.nonce());
  if (parsed.kind == KeyKind::Foreign) return false;
  Slot* slot = nullptr;
  {
    Guard guard(*this);
    Adapter* adapter = find(parsed);
    if (adapter && adapter->gate() != Gate::Destroying) slot = enter_locked(key, parsed, *adapter);
  }
  if (slot) table_.leave(slot);
  return slot != nullptr;
}

void Registry::drained(std::uint32_t slot) noexcept {
  PortableServer::ServantBase* servant;
  {
    Guard guard(*this);
    servant = reap(slot);
  }
  servant->_remove_ref();
}

void Registry::idle() noexcept {
  const std::lock_guard lock(mutex_);
  changed_.notify_all();
}

// --- administration ---

bool Registry::add(Adapter& adapter, std::uint32_t& tag) {
  std::size_t i = 0;
  while (i < places_.size() && (places_[i].adapter || places_[i].generation == 0)) ++i;
  if (i == places_.size()) {
    if (i > 0xffff) return false;
    places_.emplace_back();
  }
  if (!adapter.path().empty()) by_path_.emplace(adapter.path(), &adapter);
  places_[i].adapter = &adapter;
  tag = static_cast<std::uint32_t>(i) | std::uint32_t{places_[i].generation} << 16;
  return true;
}

void Registry::remove(Adapter& adapter) {
  Place& place = places_[adapter.tag() & 0xffff];
  place.adapter = nullptr;
  ++place.generation;
  if (!adapter.path().empty()) by_path_.erase(adapter.path());
  if (root == &adapter) root = nullptr;
  adapter.next_gone = gone_;
  gone_ = &adapter;
  notify();
}

Adapter* Registry::find(const ParsedKey& key) {
  if (key.kind == KeyKind::Persistent) {
    const auto it = by_path_.find(key.path);
    return it == by_path_.end() ? nullptr : it->second;
  }
  const std::size_t i = key.adapter & 0xffff;
  if (i >= places_.size() || places_[i].generation != key.adapter >> 16) return nullptr;
  Adapter* adapter = places_[i].adapter;
  return adapter && !adapter->persistent() ? adapter : nullptr;
}

void Registry::manager_changed(const Manager& manager) {
  for (const Place& place : places_)
    if (place.adapter && &place.adapter->manager() == &manager) place.adapter->update_gate();
  notify();
}

bool Registry::busy(const Manager& manager) {
  for (std::uint32_t i = 0; i < table_.size(); ++i) {
    const Slot& s = *table_.at(i);
    if (s.state() != SlotState::Free && s.adapter && &s.adapter->manager() == &manager && !table_.watch(i)) return true;
  }
  return false;
}

PortableServer::ServantBase* Registry::reap(std::uint32_t slot) {
  Slot& s = *table_.at(slot);
  PortableServer::ServantBase* servant = s.servant;
  Adapter* adapter = s.adapter;
  table_.release(slot);
  adapter->object_gone();
  notify();
  return servant;
}

}  // namespace callis::poa
