// SPDX-License-Identifier: Apache-2.0
// Trust: the proofs by which homes know each other. Homes that may exchange objects have one secret, which is never
// sent. A caller proves its knowledge of the secret by HMAC-SHA256 (RFC 2104, FIPS 180-4) over its request. Any
// thread may call. If OpenSSL fails the functions throw NO_RESOURCES, with OpenSSL's words.
//
// This keeps out who can connect, and who hands out references to a home of its own. It does not keep out who reads
// or changes what is on the network: for that there must be a network of its own, or a tunnel.
#pragma once
#include <initializer_list>
#include <string>
#include <string_view>

namespace callis::life_cycle {

inline constexpr std::size_t kLeastSecretBytes = 16, kMostSecretBytes = 4'096;
inline constexpr std::size_t kProofBytes = 64;     // hexadecimal
inline constexpr std::size_t kIdentityBytes = 32;  // hexadecimal

// The 32 bytes of the digest. A key has at most kMostSecretBytes.
std::string sha256(std::string_view text);
std::string hmac_sha256(std::string_view key, std::string_view text);
// Two digits for each byte.
std::string hexadecimal(std::string_view bytes);
// For an object, a transfer or a challenge: differs from all others, and cannot be guessed.
std::string new_identity();

class Trust final {
 public:
  // No bytes: there is no trust, neither way. BAD_PARAM: fewer than kLeastSecretBytes,
  // or more than kMostSecretBytes.
  explicit Trust(std::string secret);
  bool exists() const { return !secret_.empty(); }
  // Of these words in this order; the first one is the operation. Hexadecimal.
  std::string proof(std::initializer_list<std::string_view> words) const;
  // Takes the same time whichever byte is wrong. False where there is no trust.
  bool holds(std::string_view shown, std::initializer_list<std::string_view> words) const;

 private:
  std::string secret_;
};

// The file's bytes, without white space at the end. Throws std::runtime_error: it cannot be read, has fewer than
// kLeastSecretBytes or more than kMostSecretBytes, or others than its owner and its group may read it.
std::string secret_from_file(const std::string& path);

}  // namespace callis::life_cycle
