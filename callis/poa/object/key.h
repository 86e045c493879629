// SPDX-License-Identifier: Apache-2.0
// Object keys: the opaque bytes by which a request names an object of this adapter (CORBA 3.3 part 1, 15.2.1).
//
//   System      {ca 11 15 'S'} {boot nonce: 8} {adapter tag: 4} {slot: 4} {generation: 4}     24 bytes
//   User        {ca 11 15 'U'} {boot nonce: 8} {adapter tag: 4} {object id}
//   Persistent  {ca 11 15 'P'} {names: 2} ({length: 4} {name})... {object id}
//
// and, if the adapter's Demultiplexing asks for them:
//
//   Hinted            {ca 11 15 'H'} {boot nonce: 8} {adapter tag: 4} {slot: 4} {generation: 4} {object id}
//   HintedPersistent  {ca 11 15 'Q'} {names: 2} ({length: 4} {name})... {slot: 4} {generation: 4} {object id}
//   Named             {ca 11 15 'N'} {boot nonce: 8} {names: 2} ({length: 4} {name})... {object id}
//   Linear            {ca 11 15 'L'} {boot nonce: 8} {adapter tag: 4} {object id}
//
// A hint says where the object was when the reference was made, in this machine's byte order; generation 0 says
// nothing. A hint may be wrong: the key found there is compared. A key without its hint is *canonical*; the index
// holds canonical keys.
//
// System and User keys belong to transient adapters: their numbers are in this machine's byte order and mean
// something only to the ORB that drew the nonce. Persistent keys have numbers in network byte order, so that
// a reference survives a move of its server to another machine.
//
// The object id of a System key is its last 12 bytes: the adapter tag is part of it, so that an id shown to
// the wrong adapter is recognised.
//
// Every function that reads a key takes bytes from the peer. Any bytes give an answer, and nothing is allocated.
#pragma once
#include <callis/base/bytes.h>
#include <array>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

namespace callis::poa {

enum class KeyKind : Byte {
  Foreign = 0,
  System = 'S',
  User = 'U',
  Persistent = 'P',
  Hinted = 'H',
  HintedPersistent = 'Q',
  Named = 'N',
  Linear = 'L'
};
inline bool is_hinted(KeyKind k) { return k == KeyKind::Hinted || k == KeyKind::HintedPersistent; }
inline bool is_persistent(KeyKind k) { return k == KeyKind::Persistent || k == KeyKind::HintedPersistent; }

// The numbers in a System key, by which its object is found at once; also its object id.
struct SystemId {
  std::uint32_t adapter;     // tag of its adapter
  std::uint32_t slot;        // in the object table
  std::uint32_t generation;  // of the slot
  friend bool operator==(const SystemId&, const SystemId&) = default;
};
static_assert(sizeof(SystemId) == 12);

inline constexpr std::size_t kSystemKeyBytes = 24;
inline constexpr std::size_t kSystemIdBytes = sizeof(SystemId);
// System ids of persistent adapters carry the nonce, so that no later process makes the same id.
inline constexpr std::size_t kPersistentSystemIdBytes = kSystemIdBytes + 8;
inline constexpr std::size_t kUserKeyPrefixBytes = 16;
inline constexpr std::size_t kHintBytes = 8;
inline constexpr std::size_t kKindAt = 3;  // in a key

// Tells the transient keys of this ORB from the keys of every other ORB. Each ORB draws its nonce at random once.
using Nonce = std::array<Byte, 8>;
Nonce draw_nonce();

// The first 12 bytes of a System key.
class SystemKeyPrefix {
 public:
  explicit SystemKeyPrefix(const Nonce& nonce);

  // Reads the numbers in key. Returns false if key is not a System key of this ORB. Every ordinary request goes this
  // way.
  bool parse(ByteView key, SystemId& id) const {
    if (key.size() != kSystemKeyBytes || std::memcmp(key.data(), bytes_.data(), bytes_.size()) != 0) return false;
    // One by one: a copy of all three would go through memory.
    const Byte* const at = key.data() + bytes_.size();
    std::memcpy(&id.adapter, at, 4);
    std::memcpy(&id.slot, at + 4, 4);
    std::memcpy(&id.generation, at + 8, 4);
    return true;
  }
  void build(const SystemId& id, Byte (&key)[kSystemKeyBytes]) const;
  const Nonce& nonce() const { return nonce_; }
  ByteView bytes() const { return bytes_; }

 private:
  std::array<Byte, 12> bytes_;
  Nonce nonce_;
};

// A key taken apart; views into it.
struct ParsedKey {
  KeyKind kind = KeyKind::Foreign;  // Foreign: not a key of this adapter, or malformed
  std::uint32_t adapter = 0;        // if the adapter's tag is part of the key
  ByteView path;                    // otherwise: the encoded names, equal bytes for equal paths
  ByteView object_id;
};
// Keys with another nonce are Foreign.
ParsedKey parse_key(ByteView key, const Nonce& nonce);

// The bytes at the beginning of a key that name the adapter alone; empty for Foreign keys.
ByteView adapter_part(ByteView key, const Nonce& nonce);

void append(std::vector<Byte>& to, ByteView bytes);

// The beginning of a path as in Persistent keys: the number of names. The names follow, from the adapter below the
// root down.
std::vector<Byte> begin_path(std::size_t names);
void append_name(std::vector<Byte>& path, std::string_view name);
std::vector<Byte> encode_path(const std::vector<std::string>& names);
// Reads the names of an encoded path, one after the other. The path comes from parse_key() or encode_path().
class PathReader {
 public:
  explicit PathReader(ByteView path);
  bool next(std::string_view& name);  // false at the end

 private:
  ByteView rest_;
};

// The bytes before the object id in the keys of one adapter.
std::vector<Byte> user_key_prefix(const Nonce& nonce, std::uint32_t adapter, KeyKind kind = KeyKind::User);
std::vector<Byte> persistent_key_prefix(ByteView path, KeyKind kind = KeyKind::Persistent);
std::vector<Byte> named_key_prefix(const Nonce& nonce, ByteView path);

}  // namespace callis::poa
