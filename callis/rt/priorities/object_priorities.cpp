// SPDX-License-Identifier: Apache-2.0
// Priorities by object key: a table with open addressing whose entries never change while a reader may see them.
#include <callis/base/seeded_hash.h>
#include <callis/orb/base/errors.h>
#include <callis/poa/object/key.h>
#include <callis/poa/object/object_table.h>
#include <callis/rt/base/minor_codes.h>
#include <callis/rt/priorities/object_priorities.h>
#include <algorithm>
#include <cstring>

namespace callis::rt {
namespace {

std::uint32_t hash_of(ByteView bytes) {
  return seeded_hash({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

std::uint32_t number_at(ByteView key, std::size_t at, std::size_t bytes) {
  std::uint32_t n = 0;
  for (std::size_t i = 0; i < bytes; ++i) n = n << 8 | key[at + i];
  return n;
}

// Returns where the hint stands in a key (poa/object/key.h); the key's size if there is none. key: from the peer.
std::size_t find_hint(ByteView key) {
  constexpr Byte kMagic[] = {0xca, 0x11, 0x15};
  if (key.size() < 6 || !std::ranges::equal(key.first(3), kMagic)) return key.size();
  const auto kind = static_cast<poa::KeyKind>(key[poa::kKindAt]);
  if (!poa::is_hinted(kind)) return key.size();
  std::size_t at = poa::kUserKeyPrefixBytes;
  if (kind == poa::KeyKind::HintedPersistent) {
    at = 6;
    for (std::uint32_t names = number_at(key, 4, 2); names != 0; --names) {
      if (key.size() - at < 4) return key.size();
      const std::size_t name = number_at(key, at, 4);
      at += 4;
      if (key.size() - at < name) return key.size();
      at += name;
    }
  }
  return at <= key.size() && key.size() - at >= poa::kHintBytes ? at : key.size();
}

// Returns whether the activation is still there.
bool lasts(const ObjectPriorities::Life& life) {
  return !life.slot || (life.slot->generation() == life.generation && life.slot->state() == poa::SlotState::Active);
}

std::uint64_t new_version() {
  static constinit std::atomic<std::uint64_t> last{0};
  return last.fetch_add(1, std::memory_order_relaxed) + 1;
}

}  // namespace

// A key without its hint: the bytes before the hint and behind it. The hint differs between references to the same
// object.
struct ObjectPriorities::Pieces {
  explicit Pieces(ByteView key) {
    const std::size_t hint = find_hint(key);
    head = key.first(hint);
    if (hint != key.size()) tail = key.subspan(hint + poa::kHintBytes);
    hash = hash_of(head) * 31 + hash_of(tail);
  }
  std::size_t size() const { return head.size() + tail.size(); }
  std::unique_ptr<Byte[]> copy() const {
    auto bytes = std::make_unique<Byte[]>(size());
    std::ranges::copy(tail, std::ranges::copy(head, bytes.get()).out);
    return bytes;
  }

  ByteView head, tail;
  std::uint32_t hash;
};

struct ObjectPriorities::Entry {
  enum class State : std::uint8_t { Empty, Live, Dead };

  std::atomic<State> state{State::Empty};
  // Written while Empty.
  RTCORBA::Priority priority = 0;
  std::uint32_t hash = 0;
  std::unique_ptr<Byte[]> key;
  std::size_t key_bytes = 0;
  Life life;

  bool is(const Pieces& p) const {
    if (hash != p.hash || key_bytes != p.size()) return false;
    const ByteView mine(key.get(), key_bytes);
    return std::ranges::equal(mine.first(p.head.size()), p.head) &&
           std::ranges::equal(mine.subspan(p.head.size()), p.tail);
  }
  bool counts() const { return lasts(life); }
};

// The last result of a thread. Nearly always the next search is for the same object.
struct ObjectPriorities::Last {
  static constexpr std::size_t kMostBytes = 64;
  std::uint64_t version = 0;  // of whom it was found by, then; no two have the same, ever
  std::size_t bytes = 0;
  Byte key[kMostBytes]{};
  Life life;
  std::optional<RTCORBA::Priority> priority;
};

struct ObjectPriorities::Table {
  explicit Table(std::size_t n) : capacity(n), entries(new Entry[n]) {}

  const std::size_t capacity;  // a power of two
  const std::unique_ptr<Entry[]> entries;
  std::size_t used = 0;  // not Empty

  // Returns the first live entry from the hash on for which `wanted` returns true; nullptr at the first empty entry.
  template <class Wanted>
  Entry* find(std::uint32_t hash, Wanted&& wanted) const {
    for (std::size_t i = 0; i < capacity; ++i) {
      Entry& e = entries[(hash + i) & (capacity - 1)];
      const Entry::State state = e.state.load(std::memory_order_acquire);
      if (state == Entry::State::Empty) return nullptr;
      if (state == Entry::State::Live && wanted(e)) return &e;
    }
    return nullptr;
  }
  void put(std::unique_ptr<Byte[]> key, std::size_t bytes, std::uint32_t hash, RTCORBA::Priority priority,
           const Life& life) {
    std::size_t i = hash & (capacity - 1);
    while (entries[i].state.load(std::memory_order_relaxed) != Entry::State::Empty) i = (i + 1) & (capacity - 1);
    Entry& e = entries[i];
    e.priority = priority;
    e.hash = hash;
    e.key = std::move(key);
    e.key_bytes = bytes;
    e.life = life;
    ++used;
    e.state.store(Entry::State::Live, std::memory_order_release);
  }
};

ObjectPriorities::ObjectPriorities() : version_(new_version()) {}
ObjectPriorities::~ObjectPriorities() { delete table_.load(); }

std::optional<RTCORBA::Priority> ObjectPriorities::find(ByteView key) const {
  if (empty()) return std::nullopt;
  static constinit thread_local Last last __attribute__((tls_model("initial-exec")));
  const std::uint64_t version = version_.load(std::memory_order_acquire);
  if (last.version == version && last.bytes == key.size() && std::memcmp(last.key, key.data(), key.size()) == 0 &&
      lasts(last.life)) [[likely]]
    return last.priority;
  readers_.fetch_add(1, std::memory_order_seq_cst);
  const Pieces pieces(key);
  const Table* const table = table_.load(std::memory_order_seq_cst);
  const auto wanted = [&](const Entry& x) { return x.is(pieces) && x.counts(); };
  const Entry* const e = table ? table->find(pieces.hash, wanted) : nullptr;
  const std::optional<RTCORBA::Priority> found = e ? std::optional(e->priority) : std::nullopt;
  if (key.size() <= Last::kMostBytes) {
    last.version = version;
    last.bytes = key.size();
    std::memcpy(last.key, key.data(), key.size());
    last.life = e ? e->life : Life{};
    last.priority = found;
  }
  readers_.fetch_sub(1, std::memory_order_seq_cst);
  return found;
}

ObjectPriorities::Entry* ObjectPriorities::find_entry(const Pieces& key) const {
  Table* const table = table_.load(std::memory_order_relaxed);
  return table ? table->find(key.hash, [&](const Entry& x) { return x.is(key); }) : nullptr;
}

void ObjectPriorities::kill(Entry& e) {
  e.state.store(Entry::State::Dead, std::memory_order_release);
  version_.store(new_version(), std::memory_order_release);
  if (!e.life.slot) --references_;
  count_.fetch_sub(1, std::memory_order_acq_rel);
}

// A reader that comes after the new table has been set finds the new table. Earlier readers are counted.
void ObjectPriorities::free_old() {
  if (readers_.load(std::memory_order_seq_cst) == 0) old_.clear();
}

// Makes room for one more entry. If the table is full, the entries that count go into a new table.
void ObjectPriorities::make_room() {
  Table* const table = table_.load(std::memory_order_relaxed);
  if (table && table->used + 1 <= table->capacity / 4 * 3) return;
  const auto entries = [&] { return table ? std::span(table->entries.get(), table->capacity) : std::span<Entry>(); };
  const auto lives = [](const Entry& e) { return e.state.load(std::memory_order_relaxed) == Entry::State::Live; };
  std::size_t live = 0;
  for (Entry& e : entries()) {
    if (lives(e) && !e.counts()) kill(e);
    live += lives(e);
  }
  auto next = std::make_unique<Table>(std::max<std::size_t>(16, std::bit_ceil(2 * (live + 1))));
  old_.reserve(old_.size() + 1);
  for (const Entry& e : entries()) {
    if (!lives(e)) continue;
    auto key = std::make_unique<Byte[]>(e.key_bytes);
    std::memcpy(key.get(), e.key.get(), e.key_bytes);
    next->put(std::move(key), e.key_bytes, e.hash, e.priority, e.life);
  }
  table_.store(next.release(), std::memory_order_seq_cst);
  if (table) old_.emplace_back(table);
}

void ObjectPriorities::set(ByteView key, RTCORBA::Priority priority, const Life& life) {
  const Pieces pieces(key);
  auto copy = pieces.copy();
  const std::lock_guard lock(mutex_);
  free_old();
  if (!life.slot && references_ >= kMostReferences)
    raise<CORBA::NO_RESOURCES>(kTooManyKeys, CORBA::COMPLETED_NO,
                               "65536 references with a priority and without an active object, the most of an ORB");
  make_room();
  Entry* const before = find_entry(pieces);
  if (!life.slot) ++references_;
  count_.fetch_add(1, std::memory_order_acq_rel);
  table_.load(std::memory_order_relaxed)->put(std::move(copy), pieces.size(), pieces.hash, priority, life);
  version_.store(new_version(), std::memory_order_release);
  if (before) kill(*before);  // until now readers have found it
}

void ObjectPriorities::forget(ByteView key) {
  const Pieces pieces(key);
  const std::lock_guard lock(mutex_);
  if (Entry* const e = find_entry(pieces)) kill(*e);
  free_old();
}

void ObjectPriorities::forget_adapter(const void* adapter) {
  const std::lock_guard lock(mutex_);
  if (Table* const table = table_.load(std::memory_order_relaxed))
    for (Entry& e : std::span(table->entries.get(), table->capacity))
      if (e.state.load(std::memory_order_relaxed) == Entry::State::Live && e.life.adapter == adapter) kill(e);
  free_old();
}

}  // namespace callis::rt
