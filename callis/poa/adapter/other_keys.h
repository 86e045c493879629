// SPDX-License-Identifier: Apache-2.0
// OtherKeys: the description of an adapter's keys, if they are not System keys (key.h). The reason may be ids of the
// user's choice, the policy PERSISTENT, or unusual ways of finding objects and adapters.
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
  // The adapter's destructor deletes the result. Returns nullptr if the adapter's objects have System keys.
  CALLIS_OPTIONAL static OtherKeys* make(const Adapter& adapter, const orb::Demultiplexing& demultiplexing);
  CALLIS_OPTIONAL ~OtherKeys();
  // Called before other threads know the adapter.
  CALLIS_OPTIONAL void set_tag(std::uint32_t tag);

  KeyKind kind() const { return kind_; }
  ByteView path() const { return path_; }      // encoded, if it is part of keys in place of the tag
  ByteView prefix() const { return prefix_; }  // of all its keys
  std::size_t hint_bytes() const { return is_hinted(kind_) ? kHintBytes : 0; }
  std::size_t id_at() const { return prefix_.size() + hint_bytes(); }
  // Turns a key into the form that references carry. generation 0: the object is in no slot.
  CALLIS_OPTIONAL void add_hint(std::vector<Byte>& key, std::uint32_t slot, std::uint32_t generation) const;
  // Activates the servant with a new id, takes over a count of the servant, and returns the slot. Called under the
  // registry's lock.
  CALLIS_OPTIONAL static std::uint32_t put_new(Adapter& adapter, PortableServer::Servant servant);

  // --- the way of a request ---

  // Returns the object's slot, pinned. If the object is certainly missing, returns the slot that stands for the
  // missing objects of the key's adapter. key is hostile.
  CALLIS_OPTIONAL static Slot* find(ObjectTable& table, const Nonce& nonce, ByteView key);

 private:
  OtherKeys() = default;
  static ObjectTable::Found find_hinted(ObjectTable& table, ByteView key, std::size_t adapter_bytes);

  KeyKind kind_ = KeyKind::User;
  std::vector<Byte> path_, prefix_;
};

}  // namespace callis::poa
