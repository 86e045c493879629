// SPDX-License-Identifier: Apache-2.0
// TypeCodes that have been received before, found by their bytes.
#include <callis/typecode/internal/message_types.h>
#include <callis/typecode/internal/padding.h>
#include <callis/typecode/internal/received.h>
#include <callis/typecode/wire.h>
#include <cstring>
#include <mutex>
#include <new>

namespace callis::typecode {

namespace {

struct Entry {
  std::uint64_t hash;
  TypeCode_ptr type;  // counted
  std::size_t cost;
  std::uint32_t size, depth, used;
  ByteOrder order;

  Byte* bytes() { return reinterpret_cast<Byte*>(this + 1); }
  bool is(std::uint64_t h, ByteView wire, ByteOrder o) {
    return hash == h && size == wire.size() && order == o && std::memcmp(bytes(), wire.data(), size) == 0;
  }
};

// Entries whose hashes end alike share a lock; the one that was not used for longest makes room.
struct Set {
  static constexpr std::size_t kWays = 4;
  std::mutex mutex;
  Entry* ways[kWays] = {};
  std::uint32_t clock = 0;
};
constexpr std::size_t kSets = kReceivedEntries / Set::kWays;
static_assert((kSets & (kSets - 1)) == 0);
// Never destroyed: threads of ORBs may run until the process ends.
constinit Set sets[kSets];
#ifdef __GLIBCXX__  // the mutex of libc++ has a destructor, which changes nothing
static_assert(std::is_trivially_destructible_v<Set>);
#endif

Set& set_of(std::uint64_t hash) { return sets[hash >> 32 & (kSets - 1)]; }

// Hashes that peers make collide cost them their own entries and no more: what is found is compared.
std::uint64_t hash_of(ByteView wire, ByteOrder order) {
  std::uint64_t h = wire.size() * 2 + (order == ByteOrder::Big);
  const auto mix = [&h](std::uint64_t word) {
    h = (h ^ word) * 0x9e3779b97f4a7c15u;
    h ^= h >> 29;
  };
  const Byte* p = wire.data();
  std::size_t n = wire.size();
  for (; n >= 8; n -= 8, p += 8) mix(load<std::uint64_t>(p));
  std::uint64_t last = 0;
  std::memcpy(&last, p, n);
  mix(last);
  return h * 0xff51afd7ed558ccdu;
}

void drop(Entry* e) noexcept {
  if (!e) return;
  CORBA::release(e->type);
  ::operator delete(static_cast<void*>(e));
}

}  // namespace

Received::Received(const cdr::Decoder& d) noexcept : order_(d.order()) {
  const std::size_t pad = (0 - d.phase()) & 3;
  if (d.contiguous() < pad + 8) return;
  const Byte* const p = d.cursor() + pad;
  const auto kind = load<std::uint32_t>(p, d.swaps());
  if (kind > CORBA::tk_event || is_simple(kind) || kind == CORBA::tk_string || kind == CORBA::tk_wstring ||
      kind == CORBA::tk_fixed)
    return;
  const std::size_t n = load<std::uint32_t>(p + 4, d.swaps());
  if (n > (d.values() ? kMaxWireBytes : kMaxReceivedBytes) || n > d.contiguous() - pad - 8) return;
  wire_ = {p, n + 8};
  end_ = p + n + 8;
  hash_ = hash_of(wire_, order_);
}

bool Received::clear_padding(const cdr::Decoder& d) noexcept {
  if (!cleared_.reserve(wire_.size())) return false;
  cleared_.set_size(wire_.size());
  std::memcpy(cleared_.data(), wire_.data(), wire_.size());
  const MutableBytes bytes(cleared_.data(), wire_.size());
  if (!typecode::clear_padding(bytes, d.swaps()) || std::memcmp(bytes.data(), wire_.data(), bytes.size()) == 0)
    return false;
  wire_ = bytes;
  hash_ = hash_of(wire_, order_);
  return true;
}

TypeCode_ptr Received::find(cdr::Decoder& d) noexcept {
  if (wire_.empty()) return nullptr;
  if (const TypeCode_ptr known = find_as_it_is(d)) return known;
  return clear_padding(d) ? find_as_it_is(d) : nullptr;
}

TypeCode_ptr Received::find_as_it_is(cdr::Decoder& d) const noexcept {
  const TypeCode_ptr known = find_in_process(d);
  return known ? known : find_in_message(d);
}

TypeCode_ptr Received::find_in_process(cdr::Decoder& d) const noexcept {
  if (wire_.size() > kMaxReceivedBytes + 8) return nullptr;
  Set& set = set_of(hash_);
  TypeCode_ptr found = nullptr;
  std::size_t cost = 0;
  {
    const std::lock_guard lock(set.mutex);
    for (Entry* e : set.ways) {
      if (!e || !e->is(hash_, wire_, order_)) continue;
      if (e->depth > d.budget().depth_left || e->cost > d.budget().all_left()) return nullptr;
      e->used = ++set.clock;
      cost = e->cost;
      found = TypeCode::_duplicate(e->type);
      break;
    }
  }
  if (!found) return nullptr;
  if (!d.charge(cost)) {
    CORBA::release(found);
    return nullptr;
  }
  d.set_cursor(end_);
  return found;
}

bool Received::keep(TypeCode_ptr type, std::size_t bytes, std::uint32_t depth) const noexcept {
  if (wire_.empty() || wire_.size() > kMaxReceivedBytes + 8) return false;
  void* const m = ::operator new(sizeof(Entry) + wire_.size(), std::nothrow);
  if (!m) return false;
  auto* fresh = new (m) Entry{hash_, TypeCode::_duplicate(type), bytes, static_cast<std::uint32_t>(wire_.size()),
                              depth, 0, order_};
  std::memcpy(fresh->bytes(), wire_.data(), wire_.size());
  Set& set = set_of(hash_);
  {
    const std::lock_guard lock(set.mutex);
    Entry** room = &set.ways[0];
    for (Entry*& e : set.ways) {
      if (e && e->is(hash_, wire_, order_)) {  // another thread was faster
        room = &e;
        break;
      }
      // The clock may have gone round: ages are differences.
      if (*room && (!e || set.clock - e->used > set.clock - (*room)->used)) room = &e;
    }
    fresh->used = ++set.clock;
    std::swap(*room, fresh);
  }
  drop(fresh);  // outside the lock
  return true;
}

TypeCode_ptr Received::find_in_message(cdr::Decoder& d) const noexcept {
  const MessageTypes* const types = MessageTypes::known(d);
  const TypeCode_ptr found = types ? types->find(wire_, hash_, order_, d.budget()) : nullptr;
  if (found) d.set_cursor(end_);
  return found;
}

void Received::keep_in_message(TypeCode_ptr type, std::uint32_t depth, cdr::Decoder& d) const noexcept {
  if (MessageTypes* const types = wire_.empty() ? nullptr : MessageTypes::of(d))
    types->keep(wire_, hash_, type, depth, d);
}

std::size_t received_entries() noexcept {
  std::size_t n = 0;
  for (Set& set : sets) {
    const std::lock_guard lock(set.mutex);
    for (const Entry* e : set.ways) n += e != nullptr;
  }
  return n;
}

}  // namespace callis::typecode
