// SPDX-License-Identifier: Apache-2.0
// OtherKeys: what tells an adapter's keys from System keys (key.h), where its objects have others: ids of the user's
// choice, the policy PERSISTENT, or other ways of finding objects and adapters than the usual ones.
//
// Constant once the adapter has its tag.
#pragma once
#include <callis/base/feature.h>
#include <callis/orb/options/demultiplexing.h>
#include <callis/poa/adapter/policies.h>
#include <callis/poa/object/key.h>
#include <callis/poa/object/object_table.h>
#include <callis/poa/servant/servant.h>
#include <memory>
#include <string>
#include <vector>

CALLIS_FEATURE(other_keys);

namespace callis::poa {

class Adapter;

class OtherKeys final {
 public:
  // Of that adapter, for its destructor to delete. nullptr where its objects have System keys.
  CALLIS_OPTIONAL static OtherKeys* make(const Adapter& adapter, const orb::Demultiplexing& demultiplexing);
  CALLIS_OPTIONAL ~OtherKeys();
  // Before others know the adapter.
  CALLIS_OPTIONAL void set_tag(std::uint32_t tag);

  KeyKind kind() const { return kind_; }
  ByteView path() const { return path_; }      // encoded, where it is part of keys in place of the tag
  ByteView prefix() const { return prefix_; }  // of all its keys
  std::size_t hint_bytes() const { return is_hinted(kind_) ? kHintBytes : 0; }
  std::size_t id_at() const { return prefix_.size() + hint_bytes(); }
  // Makes of a key one as references carry it; generation 0: of an object in no slot.
  CALLIS_OPTIONAL void add_hint(std::vector<Byte>& key, std::uint32_t slot, std::uint32_t generation) const;
  // Activates the servant with a new id, and takes over a count of it; the slot. Under the registry's lock.
  CALLIS_OPTIONAL static std::uint32_t put_new(Adapter& adapter, PortableServer::Servant servant);

  // --- the way of a request ---

  // The object with that key, pinned; or what stands for the missing objects of the key's adapter, if it is certain
  // that it is missing. key is hostile.
  CALLIS_OPTIONAL static Slot* find(ObjectTable& table, const Nonce& nonce, ByteView key);

 private:
  OtherKeys() = default;
  static ObjectTable::Found find_hinted(ObjectTable& table, ByteView key, std::size_t adapter_bytes);

  KeyKind kind_ = KeyKind::User;
  std::vector<Byte> path_, prefix_;
};

}  // namespace callis::poa
