// SPDX-License-Identifier: Apache-2.0
// Object keys of other kinds than System: of adapters with ids of the user's, with PERSISTENT, and with other ways of
// finding objects and adapters than the usual ones.
#include <callis/base/endian.h>
#include <callis/poa/adapter/adapter.h>
#include <callis/poa/servant/minor_codes.h>
#include <algorithm>

CALLIS_PROVIDE(other_keys);

namespace callis::poa {

using namespace PortableServer;

KeyKind choose_other_kind(const Policies& p, const orb::Demultiplexing& d) {
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

void Adapter::append_names(Bytes& path) const {
  if (!parent_) return;
  parent_->append_names(path);
  append_name(path, name_);
}

void Adapter::choose_key_prefix() {
  const Nonce& nonce = registry_->prefix().nonce();
  if (policies_.persistent() || key_kind_ == KeyKind::Named) {
    std::size_t names = 0;
    for (const Adapter* a = this; a->parent_; a = a->parent_) ++names;
    path_ = begin_path(names);
    append_names(path_);
  }
  if (policies_.persistent()) key_prefix_ = persistent_key_prefix(path_, key_kind_);
  else if (key_kind_ == KeyKind::Named) key_prefix_ = named_key_prefix(nonce, path_);
  else key_prefix_ = user_key_prefix(nonce, 0, key_kind_);
}

Adapter::Bytes Adapter::with_hint(Bytes key, std::uint32_t slot, std::uint32_t generation) const {
  if (hint_bytes() == 0) return key;
  const std::uint32_t hint[2] = {slot, generation};
  static_assert(sizeof hint == kHintBytes);
  const Byte* const bytes = reinterpret_cast<const Byte*>(hint);
  key.insert(key.begin() + static_cast<std::ptrdiff_t>(key_prefix_.size()), bytes, bytes + sizeof hint);
  return key;
}

std::uint32_t Adapter::put_with_new_id(Servant servant) {
  const ObjectId_var id = new_system_id();
  return put(servant, bytes_of(id.in()));
}

// --- the way of a request ---

// In the index; or what stands for the missing objects of the key's adapter, if it is certain that it is missing.
Slot* Registry::find_by_any_key(ByteView key) {
  const auto kind = key.size() > kKindAt ? static_cast<KeyKind>(key[kKindAt]) : KeyKind::Foreign;
  ByteView adapter;
  ObjectTable::Found found;
  if (is_hinted(kind)) [[unlikely]] {
    adapter = adapter_part(key, prefix_.nonce());
    if (adapter.empty()) return nullptr;
    found = find_hinted(key, adapter.size());
  } else {
    found = kind == KeyKind::Linear ? table_.find_linear(key) : table_.find(key);
  }
  if (found.slot || found.unsure) return found.slot;
  return table_.find_hidden(adapter.empty() ? adapter_part(key, prefix_.nonce()) : adapter).slot;
}

// A key that has a hint behind the bytes that name the adapter.
ObjectTable::Found Registry::find_hinted(ByteView key, std::size_t n) {
  const ByteView id = key.subspan(n + kHintBytes);
  const auto slot = load<std::uint32_t>(key.data() + n), generation = load<std::uint32_t>(key.data() + n + 4);
  if (Slot* const s = table_.enter(slot, generation)) {
    const ByteView known = s->key_view();
    if (known.size() == n + id.size() && !s->hidden() && std::ranges::equal(known.first(n), key.first(n)) &&
        std::ranges::equal(known.subspan(n), id))
      return {s, false};
    table_.leave(s);
  }
  std::vector<Byte> canonical;
  append(canonical, key.first(n));
  append(canonical, id);
  return table_.find(canonical);
}

}  // namespace callis::poa
