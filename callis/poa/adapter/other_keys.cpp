// SPDX-License-Identifier: Apache-2.0
// Object keys of other kinds than System: how they are made, and how objects are found by them.
#include <callis/base/endian.h>
#include <callis/poa/adapter/adapter.h>
#include <algorithm>

CALLIS_PROVIDE(other_keys);

namespace callis::poa {
namespace {

KeyKind kind_of(const Policies& p, const orb::Demultiplexing& d) {
  if (p.persistent()) return d.objects == orb::ObjectLookup::Hint ? KeyKind::HintedPersistent : KeyKind::Persistent;
  if (d.adapters == orb::AdapterLookup::Path) return KeyKind::Named;
  switch (d.objects) {
    case orb::ObjectLookup::Active: return p.system_ids() ? KeyKind::System : KeyKind::User;
    case orb::ObjectLookup::Hint: return p.system_ids() ? KeyKind::System : KeyKind::Hinted;
    case orb::ObjectLookup::Hash: return KeyKind::User;
    case orb::ObjectLookup::Linear: break;
  }
  return KeyKind::Linear;
}

// From the one below the root to this one.
void append_names(std::vector<Byte>& path, const Adapter& adapter) {
  if (!adapter.parent()) return;
  append_names(path, *adapter.parent());
  append_name(path, adapter.name());
}

}  // namespace

OtherKeys* OtherKeys::make(const Adapter& adapter, const orb::Demultiplexing& demultiplexing) {
  const bool persistent = adapter.policies().persistent();
  const KeyKind kind = kind_of(adapter.policies(), demultiplexing);
  if (kind == KeyKind::System) return nullptr;
  std::unique_ptr<OtherKeys> keys(new OtherKeys);
  keys->kind_ = kind;
  if (persistent || kind == KeyKind::Named) {
    std::size_t names = 0;
    for (const Adapter* a = adapter.parent(); a; a = a->parent()) ++names;
    keys->path_ = begin_path(names);
    append_names(keys->path_, adapter);
  }
  const Nonce& nonce = adapter.registry().prefix().nonce();
  if (persistent)
    keys->prefix_ = persistent_key_prefix(keys->path_, kind);
  else if (kind == KeyKind::Named)
    keys->prefix_ = named_key_prefix(nonce, keys->path_);
  else
    keys->prefix_ = user_key_prefix(nonce, 0, kind);
  return keys.release();
}

OtherKeys::~OtherKeys() = default;

void OtherKeys::set_tag(std::uint32_t tag) {
  if (path_.empty()) std::memcpy(prefix_.data() + kUserKeyPrefixBytes - sizeof tag, &tag, sizeof tag);
}

void OtherKeys::add_hint(std::vector<Byte>& key, std::uint32_t slot, std::uint32_t generation) const {
  if (hint_bytes() == 0) return;
  const std::uint32_t hint[2] = {slot, generation};
  static_assert(sizeof hint == kHintBytes);
  const Byte* const bytes = reinterpret_cast<const Byte*>(hint);
  key.insert(key.begin() + static_cast<std::ptrdiff_t>(prefix_.size()), bytes, bytes + sizeof hint);
}

std::uint32_t OtherKeys::put_new(Adapter& adapter, PortableServer::Servant servant) {
  const PortableServer::ObjectId_var id = adapter.new_system_id();
  return adapter.put(servant, bytes_of(id.in()));
}

// --- the way of a request ---

Slot* OtherKeys::find(ObjectTable& table, const Nonce& nonce, ByteView key) {
  const auto kind = key.size() > kKindAt ? static_cast<KeyKind>(key[kKindAt]) : KeyKind::Foreign;
  ByteView adapter;
  ObjectTable::Found found;
  if (is_hinted(kind)) [[unlikely]] {
    adapter = adapter_part(key, nonce);
    if (adapter.empty()) return nullptr;
    found = find_hinted(table, key, adapter.size());
  } else {
    found = kind == KeyKind::Linear ? table.find_linear(key) : table.find(key);
  }
  if (found.slot || found.unsure) return found.slot;
  return table.find_hidden(adapter.empty() ? adapter_part(key, nonce) : adapter).slot;
}

// A key that has a hint behind the bytes that name the adapter.
ObjectTable::Found OtherKeys::find_hinted(ObjectTable& table, ByteView key, std::size_t n) {
  const ByteView id = key.subspan(n + kHintBytes);
  const auto slot = load<std::uint32_t>(key.data() + n), generation = load<std::uint32_t>(key.data() + n + 4);
  if (Slot* const s = table.enter(slot, generation)) {
    const ByteView known = s->key_view();
    if (known.size() == n + id.size() && !s->hidden() && std::ranges::equal(known.first(n), key.first(n)) &&
        std::ranges::equal(known.subspan(n), id))
      return {s, false};
    table.leave(s);
  }
  std::vector<Byte> canonical;
  append(canonical, key.first(n));
  append(canonical, id);
  return table.find(canonical);
}

}  // namespace callis::poa
