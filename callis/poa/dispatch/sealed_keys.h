// SPDX-License-Identifier: Apache-2.0
// Sealed keys (-ORBUnguessableKeys yes): nobody can make the key of an object, who has not been given it.
//
//   {key of a transient adapter} {seal: 8}     seal: SipHash-2-4 of the key, by a secret that the ORB drew from
//                                              getrandom()
//
// Without them slots can be counted: one reference leads to all objects of its adapter. The seal is put on where
// references are made and taken off, and checked, where keys come in; between the two nothing knows of it. Keys of
// PERSISTENT adapters have none, since no later process would know the secret.
//
//   ORB core ── SealedHandler ── Dispatcher        requests: the key without its seal
//   Adapter ─── SealedReferences ── References     new references: the key with its seal
#pragma once
#include <callis/base/feature.h>
#include <callis/orb/context/server_request.h>
#include <callis/poa/adapter/references.h>
#include <callis/poa/object/key.h>
#include <array>
#include <memory>
#include <vector>

CALLIS_FEATURE(unguessable_keys);

namespace callis::poa {

// SipHash-2-4 (Aumasson and Bernstein, "SipHash: a fast short-input PRF", 2012).
std::uint64_t sip_hash(const std::array<std::uint64_t, 2>& secret, ByteView bytes);

// Any thread.
class KeySeal final {
 public:
  static constexpr std::size_t kBytes = 8;

  // Draws the secret. Throws NO_RESOURCES when the system has no random bytes.
  KeySeal();
  explicit KeySeal(const std::array<std::uint64_t, 2>& secret) : secret_(secret) {}

  // The key with its seal, if it is one that has a seal.
  std::vector<Byte> seal(ByteView key) const;
  // The key without it; false when it has none that is right. key is hostile: takes the same time whatever the seal
  // is.
  bool open(ByteView key, ByteView& opened) const;

 private:
  std::array<std::uint64_t, 2> secret_;
};

// Whether a key of an ORB with sealed keys has a seal: not those of persistent adapters, which any process makes
// alike. What is too short for a key of an adapter has one, too: none that is right.
inline bool has_seal(ByteView key) {
  return key.size() <= kKindAt || !is_persistent(static_cast<KeyKind>(key[kKindAt]));
}
// The key of a reference that this ORB has made, without its seal, as adapters know it.
inline ByteView without_seal(ByteView key) {
  return has_seal(key) && key.size() >= KeySeal::kBytes ? key.first(key.size() - KeySeal::kBytes) : key;
}

// From now on these put a seal on, for which a secret is drawn.
CALLIS_OPTIONAL void seal_references(std::unique_ptr<References>& references);
// Takes the seal off that `references` put on, which have been sealed. adapter outlives it.
CALLIS_OPTIONAL std::unique_ptr<orb::RequestHandler> open_seals(orb::RequestHandler& adapter,
                                                                const References& references);

}  // namespace callis::poa
