// SPDX-License-Identifier: Apache-2.0
// The table of active objects: slots, generations, pins.
#include <callis/base/endian.h>
#include <callis/base/uint128.h>
#include <callis/poa/object/object_table.h>
#include <algorithm>
#include <bit>
#include <cstring>
#include <new>

namespace callis::poa {
namespace {

// A chain this long is either a wandering reader or worth the lock.
constexpr int kMaxSteps = 32;

constexpr SlotState state_of(std::uint64_t word) { return static_cast<SlotState>(word >> 24 & 0x7f); }
constexpr std::uint32_t generation_of(std::uint64_t word) { return static_cast<std::uint32_t>(word >> 32); }

// Replaces generation and state, keeps the pins, clears the watch.
void move_word(std::atomic<std::uint64_t>& word, std::uint64_t to) {
  std::uint64_t old = word.load(std::memory_order_relaxed);
  while (!word.compare_exchange_weak(old, to | (old & 0xffffff), std::memory_order_seq_cst)) {
  }
}

bool equal(ByteView a, ByteView b) {
  return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size()) == 0);
}

}  // namespace

ObjectTable::Buckets::Buckets(std::uint32_t n)
    : mask(n - 1), heads(new (std::nothrow) std::atomic<std::uint32_t>[n]) {
  if (!heads) return;
  for (std::uint32_t i = 0; i < n; ++i) heads[i].store(kNoSlot, std::memory_order_relaxed);
}

ObjectTable::~ObjectTable() {
  for (auto& chunk : chunks_) delete[] chunk.load(std::memory_order_relaxed);
}

Slot* ObjectTable::at(std::uint32_t slot) const { return slot < size() ? &slot_at(slot) : nullptr; }

std::uint32_t ObjectTable::index_of(const Slot* slot) const {
  for (int c = 0; c < kChunks; ++c) {
    const Slot* first = chunks_[c].load(std::memory_order_acquire);
    if (!first) break;
    const std::uint32_t n = c == 0 ? kFirstChunk : kFirstChunk << (c - 1);
    if (slot >= first && slot < first + n) return (c == 0 ? 0 : n) + static_cast<std::uint32_t>(slot - first);
  }
  return kNoSlot;
}

// --- readers ---

std::uint32_t ObjectTable::hash_of(ByteView key) const {
  std::uint64_t h = hash_seed_ ^ key.size();
  const Byte* p = key.data();
  std::size_t n = key.size();
  // Both halves of a product by a secret number. If the number were known, or only the lower half were used, some
  // differences between keys would come out as known differences for every h. The next word could take them back.
  const auto fold = [&h, by = hash_factor_](std::uint64_t v) {
    const Uint128 both = product(h ^ v, by);
    h = both.low ^ both.high;
  };
  for (; n >= 8; p += 8, n -= 8) fold(load<std::uint64_t>(p));
  std::uint64_t tail = 0;
  if (n) std::memcpy(&tail, p, n);
  fold(tail);
  return static_cast<std::uint32_t>(h);
}

ObjectTable::Found ObjectTable::find(ByteView key, std::uint32_t hidden) {
  const std::uint64_t version = version_.load(std::memory_order_acquire);
  if (version & 1) return {nullptr, true};
  const std::uint32_t hash = hash_of(key);
  std::uint32_t i = kNoSlot;
  if (const Buckets* b = buckets_.load(std::memory_order_acquire))
    i = b->heads[hash & b->mask].load(std::memory_order_acquire);
  for (int steps = 0; i != kNoSlot; ++steps) {
    if (steps == kMaxSteps) return {nullptr, true};
    Slot& s = slot_at(i);
    if (s.hash.load(std::memory_order_acquire) == hash) {
      if (Slot* pinned = pin(s, s.generation())) {
        if ((pinned->key_bytes & Slot::kHidden) == hidden && equal(pinned->key_view(), key)) return {pinned, false};
        leave(pinned);
      }
    }
    i = s.next.load(std::memory_order_acquire);
  }
  return {nullptr, version_.load(std::memory_order_acquire) != version};
}

ObjectTable::Found ObjectTable::find_linear(ByteView key) {
  const std::uint64_t version = version_.load(std::memory_order_acquire);
  if (version & 1) return {nullptr, true};
  const std::uint32_t n = size();
  for (std::uint32_t i = 0; i < n; ++i) {
    Slot& s = slot_at(i);
    Slot* const pinned = pin(s, s.generation());
    if (!pinned) continue;
    if (!pinned->hidden() && equal(pinned->key_view(), key)) return {pinned, false};
    leave(pinned);
  }
  return {nullptr, version_.load(std::memory_order_acquire) != version};
}

// --- pins ---

bool ObjectTable::noted(const Slot& slot) const {
  orb::heavy_barrier();
  bool found = false;
  orb::for_each_note([&](const void* s) { found = found || s == &slot; });
  return found;
}

bool ObjectTable::pinned(const Slot& slot) const {
  return noted(slot) || (slot.word.load(std::memory_order_seq_cst) & kPins) != 0;
}

[[gnu::cold]] Slot* ObjectTable::unpin(Slot& slot) {
  leave(&slot);
  return nullptr;
}

[[gnu::cold]] Slot* ObjectTable::pin_otherwise(Slot& slot, std::uint32_t generation) {
  const std::uint64_t want = word_of(generation, SlotState::Active);
  if (!orb::pin_record && orb::make_pin_record()) return pin_noted(*orb::pin_record, slot, want);
  const std::uint64_t before = slot.word.fetch_add(1, std::memory_order_seq_cst);
  if ((before & ~(kPins | kWatched)) == want) return &slot;
  leave_counted(slot);
  return nullptr;
}

// Used if the record is full, or has exchanges, or does not have the slot on top.
[[gnu::cold]] void ObjectTable::leave_otherwise(orb::PinRecord& record, Slot& slot) {
  if (!record.is_top(&slot)) return leave_counted(slot);
  --record.depth;
  record.clear();
  const std::uint64_t now = slot.word.load(std::memory_order_seq_cst);
  if ((now & (kStateBits | kWatched)) != word_of(0, SlotState::Active)) left(slot, now);
}

[[gnu::cold]] void ObjectTable::leave_counted(Slot& slot) {
  const std::uint64_t now = slot.word.fetch_sub(1, std::memory_order_seq_cst) - 1;
  if ((now & (kStateBits | kWatched)) != word_of(0, SlotState::Active)) left(slot, now);
}

// A pin has gone while the activation was ending or somebody waited.
[[gnu::cold]] void ObjectTable::left(Slot& slot, std::uint64_t word) {
  if (state_of(word) == SlotState::Draining && reap(slot)) owner_.drained(index_of(&slot));
  if (word & kWatched) {
    slot.word.fetch_and(~kWatched, std::memory_order_seq_cst);  // a thread that still waits sets it again
    owner_.idle();
  }
}

// Changes the slot from Draining to Reaping, if nobody is inside. Returns true to the thread that did it.
bool ObjectTable::reap(Slot& slot) {
  std::uint64_t now = slot.word.load(std::memory_order_seq_cst);
  if (state_of(now) != SlotState::Draining || (now & kPins) != 0 || noted(slot)) return false;
  // Nobody enters a Draining slot. A thread that tries nevertheless, with a counted pin, looks here again afterwards.
  const std::uint64_t draining = word_of(generation_of(now), SlotState::Draining);
  while ((now & ~kWatched) == draining) {
    const std::uint64_t reaping = word_of(generation_of(now), SlotState::Reaping) | (now & kWatched);
    if (slot.word.compare_exchange_weak(now, reaping, std::memory_order_seq_cst)) return true;
  }
  return false;
}

// --- the writer, under the lock ---

// Room for so many; nullptr: no memory.
ObjectTable::Pages* ObjectTable::make_room_in_pages(std::uint32_t n) {
  if (all_pages_ && n <= all_pages_->room) return all_pages_.get();
  std::unique_ptr<Pages> larger(new (std::nothrow) Pages(std::bit_ceil(n)));
  if (!larger || !larger->first) return nullptr;
  if (all_pages_) std::copy_n(all_pages_->first.get(), size() / kFirstChunk, larger->first.get());
  larger->smaller = std::move(all_pages_);
  all_pages_ = std::move(larger);
  pages_.store(all_pages_->first.get(), std::memory_order_release);
  return all_pages_.get();
}

bool ObjectTable::grow() {
  const std::uint32_t old = size();
  const auto chunk = std::bit_width(old / kFirstChunk);
  if (chunk == std::uint32_t{kChunks}) return false;
  const std::uint32_t n = old == 0 ? kFirstChunk : old;
  Pages* const pages = make_room_in_pages((old + n) / kFirstChunk);
  if (!pages) return false;
  Slot* slots = new (std::nothrow) Slot[n];
  if (!slots) return false;
  for (std::uint32_t i = 0; i < n; ++i) {
    slots[i].word.store(word_of(1, SlotState::Free), std::memory_order_relaxed);
    slots[i].next.store(i + 1 < n ? old + i + 1 : free_, std::memory_order_relaxed);
  }
  for (std::uint32_t i = 0; i < n; i += kFirstChunk) pages->first[(old + i) / kFirstChunk] = slots + i;
  chunks_[chunk].store(slots, std::memory_order_release);
  size_.store(old + n, std::memory_order_release);
  free_ = old;
  return true;
}

std::uint32_t ObjectTable::pop_free() {
  if (free_ == kNoSlot && !grow()) return kNoSlot;
  const std::uint32_t slot = free_;
  free_ = slot_at(slot).next.load(std::memory_order_relaxed);
  return slot;
}

bool ObjectTable::make_room_in_buckets() {
  const std::uint32_t n = all_buckets_ ? all_buckets_->mask + 1 : 0;
  if (keyed_ < n) return true;
  std::unique_ptr<Buckets> larger(new (std::nothrow) Buckets(n == 0 ? kFirstChunk : n * 2));
  if (!larger || !larger->heads) return n != 0;  // chains grow longer; the objects are still found
  version_.fetch_add(1, std::memory_order_seq_cst);
  for (std::uint32_t b = 0; b < n; ++b) {
    std::uint32_t i = all_buckets_->heads[b].load(std::memory_order_relaxed);
    while (i != kNoSlot) {
      Slot& s = slot_at(i);
      const std::uint32_t rest = s.next.load(std::memory_order_relaxed);
      auto& head = larger->heads[s.hash.load(std::memory_order_relaxed) & larger->mask];
      s.next.store(head.load(std::memory_order_relaxed), std::memory_order_release);
      head.store(i, std::memory_order_release);
      i = rest;
    }
  }
  larger->smaller = std::move(all_buckets_);
  all_buckets_ = std::move(larger);
  buckets_.store(all_buckets_.get(), std::memory_order_release);
  version_.fetch_add(1, std::memory_order_seq_cst);
  return true;
}

void ObjectTable::link(std::uint32_t slot, std::uint32_t hash) {
  Slot& s = slot_at(slot);
  auto& head = all_buckets_->heads[hash & all_buckets_->mask];
  version_.fetch_add(1, std::memory_order_seq_cst);
  s.hash.store(hash, std::memory_order_release);
  s.next.store(head.load(std::memory_order_relaxed), std::memory_order_release);
  head.store(slot, std::memory_order_release);
  version_.fetch_add(1, std::memory_order_seq_cst);
  ++keyed_;
}

void ObjectTable::unlink(std::uint32_t slot) {
  Slot& s = slot_at(slot);
  std::atomic<std::uint32_t>* from =
      &all_buckets_->heads[s.hash.load(std::memory_order_relaxed) & all_buckets_->mask];
  while (from->load(std::memory_order_relaxed) != slot) from = &slot_at(from->load(std::memory_order_relaxed)).next;
  version_.fetch_add(1, std::memory_order_seq_cst);
  from->store(s.next.load(std::memory_order_relaxed), std::memory_order_release);
  version_.fetch_add(1, std::memory_order_seq_cst);
  --keyed_;
}

std::uint32_t ObjectTable::activate(const Activation& activation, ByteView key) {
  std::unique_ptr<Byte[]> copy;
  if (!key.empty()) {
    copy.reset(new (std::nothrow) Byte[key.size()]);
    if (!copy || !make_room_in_buckets()) return kNoSlot;
    std::memcpy(copy.get(), key.data(), key.size());
  }
  const std::uint32_t slot = pop_free();
  if (slot == kNoSlot) return kNoSlot;
  Slot& s = slot_at(slot);
  s.servant = activation.servant;
  s.self = activation.self;
  s.skeleton = activation.skeleton;
  s.adapter = activation.adapter;
  s.adapter_tag = activation.adapter_tag;
  s.key = std::move(copy);
  s.key_bytes = static_cast<std::uint32_t>(key.size()) | activation.flags;
  if (s.hidden()) hidden_.fetch_add(1, std::memory_order_acq_rel);
  if (!key.empty()) link(slot, hash_of(key));
  move_word(s.word, word_of(s.generation(), SlotState::Active));
  ++active_;
  return slot;
}

bool ObjectTable::reserve(std::uint32_t& slot, std::uint32_t& generation) {
  slot = pop_free();
  if (slot == kNoSlot) return false;
  generation = slot_at(slot).generation();
  ++active_;
  release(slot);
  return true;
}

bool ObjectTable::issued(std::uint32_t slot, std::uint32_t generation) const {
  if (slot >= size() || generation == 0) return false;
  const std::uint64_t word = slot_at(slot).word.load(std::memory_order_acquire);
  const std::uint32_t now = generation_of(word);
  return now == 0 || generation < now || (generation == now && state_of(word) != SlotState::Free);
}

bool ObjectTable::deactivate(std::uint32_t slot) {
  Slot& s = slot_at(slot);
  std::uint64_t old = s.word.load(std::memory_order_relaxed);
  while (!s.word.compare_exchange_weak(old,
                                       word_of(generation_of(old), SlotState::Draining) | (old & (kPins | kWatched)),
                                       std::memory_order_seq_cst)) {}
  return reap(s);
}

void ObjectTable::release(std::uint32_t slot) {
  Slot& s = slot_at(slot);
  if (s.key) unlink(slot);
  s.key.reset();
  if (s.hidden()) hidden_.fetch_sub(1, std::memory_order_acq_rel);
  s.key_bytes = 0;
  s.servant = nullptr;
  s.adapter = nullptr;
  --active_;
  // Generation 0 marks a slot whose generations are used up: it is never given out again, so that no old
  // key ever names a new object.
  const std::uint32_t next = s.generation() + 1;
  move_word(s.word, word_of(next, SlotState::Free));
  if (next == 0) return;
  s.next.store(free_, std::memory_order_release);
  free_ = slot;
}

bool ObjectTable::watch(std::uint32_t slot) {
  Slot& s = slot_at(slot);
  s.word.fetch_or(kWatched, std::memory_order_seq_cst);
  if (pinned(s)) return false;
  s.word.fetch_and(~kWatched, std::memory_order_seq_cst);
  return true;
}

std::uint32_t ObjectTable::lookup(ByteView key) const {
  if (!all_buckets_) return kNoSlot;
  const std::uint32_t hash = hash_of(key);
  std::uint32_t i = all_buckets_->heads[hash & all_buckets_->mask].load(std::memory_order_relaxed);
  for (; i != kNoSlot; i = slot_at(i).next.load(std::memory_order_relaxed)) {
    const Slot& s = slot_at(i);
    if (s.hash.load(std::memory_order_relaxed) == hash && !s.hidden() && equal(s.key_view(), key)) return i;
  }
  return kNoSlot;
}

}  // namespace callis::poa
