// SPDX-License-Identifier: Apache-2.0
// Sealed keys (-ORBUnguessableKeys yes): only a client that has been given the key of an object has it.
//
//   {key of a transient adapter} {seal: 8}     seal: SipHash-2-4 of the key, by a secret that the ORB drew from
//                                              getrandom()
//
// Without seals slots can be counted: one reference leads to all objects of its adapter. The seal is put on where
// references are made. It is checked and taken off where keys come in; no other code knows of seals. Keys of
// PERSISTENT adapters have no seal, since no later process would know the secret.
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

// Any thread may call its functions.
class KeySeal final {
 public:
  static constexpr std::size_t kBytes = 8;

  // Draws the secret. Throws NO_RESOURCES if the system has no random bytes.
  KeySeal();
  explicit KeySeal(const std::array<std::uint64_t, 2>& secret) : secret_(secret) {}

  // The key with its seal; the bare key if has_seal(key) is false.
  std::vector<Byte> seal(ByteView key) const;
  // Sets opened to the key without its seal. Returns false if there is no seal or a wrong one. key is hostile: the
  // check takes the same time for every seal.
  bool open(ByteView key, ByteView& opened) const;

 private:
  std::array<std::uint64_t, 2> secret_;
};

// Whether a key of an ORB with sealed keys has a seal. Keys of persistent adapters have none: every process makes
// them alike. Returns true also for bytes that are too short for a key, whose seal is always wrong.
inline bool has_seal(ByteView key) {
  return key.size() <= kKindAt || !is_persistent(static_cast<KeyKind>(key[kKindAt]));
}
// The key of a reference that this ORB has made, without its seal, as adapters know it.
inline ByteView without_seal(ByteView key) {
  return has_seal(key) && key.size() >= KeySeal::kBytes ? key.first(key.size() - KeySeal::kBytes) : key;
}

// Draws a secret. From now on these references get a seal.
CALLIS_OPTIONAL void seal_references(std::unique_ptr<References>& references);
// Takes off the seal that `references` puts on. references has been given to seal_references(). adapter outlives the
// result.
CALLIS_OPTIONAL std::unique_ptr<orb::RequestHandler> open_seals(orb::RequestHandler& adapter,
                                                                const References& references);

}  // namespace callis::poa
