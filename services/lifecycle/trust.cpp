// SPDX-License-Identifier: Apache-2.0
// The homes' proofs by HMAC-SHA256, and ids that nobody can guess: by libcrypto of OpenSSL.
#include <callis/corba.h>
#include <fcntl.h>
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/rand.h>
#include <services/lifecycle/trust.h>
#include <sys/stat.h>
#include <unistd.h>
#include <array>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <stdexcept>

namespace callis::life_cycle {

namespace {

using Digest = std::array<unsigned char, 32>;

const unsigned char* octets(std::string_view text) { return reinterpret_cast<const unsigned char*>(text.data()); }

// NO_RESOURCES: what OpenSSL could not do, and why. Its configuration may forbid algorithms, for instance.
[[noreturn]] void refuse(const char* what) {
  char why[256];
  ERR_error_string_n(ERR_get_error(), why, sizeof why);
  ERR_clear_error();
  throw CORBA::NO_RESOURCES(0, CORBA::COMPLETED_NO,
                            std::string("OpenSSL cannot ") + what + ": " + why + " (see its openssl.cnf)");
}

std::string to_text(const Digest& digest, unsigned int bytes, const char* what) {
  if (bytes != digest.size()) refuse(what);
  return {reinterpret_cast<const char*>(digest.data()), digest.size()};
}

void append_length(std::string& to, std::uint64_t n) {
  for (int shift = 56; shift >= 0; shift -= 8) to += static_cast<char>(n >> shift & 0xff);
}

}  // namespace

std::string hexadecimal(std::string_view bytes) {
  std::string out;
  for (const char c : bytes) {
    const auto b = static_cast<unsigned char>(c);
    out += "0123456789abcdef"[b >> 4];
    out += "0123456789abcdef"[b & 15];
  }
  return out;
}

std::string sha256(std::string_view text) {
  Digest digest;
  unsigned int bytes = 0;
  if (EVP_Digest(text.data(), text.size(), digest.data(), &bytes, EVP_sha256(), nullptr) != 1) bytes = 0;
  return to_text(digest, bytes, "make a SHA-256");
}

std::string hmac_sha256(std::string_view key, std::string_view text) {
  Digest digest;
  unsigned int bytes = 0;
  if (!HMAC(EVP_sha256(), key.data(), static_cast<int>(key.size()), octets(text), text.size(), digest.data(), &bytes))
    bytes = 0;
  return to_text(digest, bytes, "make an HMAC-SHA256");
}

std::string new_identity() {
  unsigned char bytes[kIdentityBytes / 2];
  if (RAND_bytes(bytes, sizeof bytes) != 1) refuse("make a random number");
  return hexadecimal({reinterpret_cast<const char*>(bytes), sizeof bytes});
}

Trust::Trust(std::string secret) : secret_(std::move(secret)) {
  if (!secret_.empty() && secret_.size() < kLeastSecretBytes)
    throw CORBA::BAD_PARAM(0, CORBA::COMPLETED_NO, "the secret of homes has fewer than 16 bytes");
  if (secret_.size() > kMostSecretBytes)
    throw CORBA::BAD_PARAM(0, CORBA::COMPLETED_NO, "the secret of homes has more than 4096 bytes");
}

std::string Trust::proof(std::initializer_list<std::string_view> words) const {
  std::string text;
  for (const std::string_view word : words) {
    append_length(text, word.size());
    text += word;
  }
  return hexadecimal(hmac_sha256(secret_, text));
}

bool Trust::holds(std::string_view shown, std::initializer_list<std::string_view> words) const {
  if (!exists() || shown.size() != kProofBytes) return false;
  const std::string right = proof(words);
  return CRYPTO_memcmp(shown.data(), right.data(), kProofBytes) == 0;
}

std::string secret_from_file(const std::string& path) {
  const std::string name = "the secret of homes, " + path;
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) throw std::runtime_error(name + ", cannot be read: " + std::strerror(errno));
  struct stat about {};
  std::string out(kMostSecretBytes + 1, '\0');
  const bool known = ::fstat(file, &about) == 0;
  const ssize_t n = ::read(file, out.data(), out.size());
  const int error = errno;
  ::close(file);
  if (!known || n < 0) throw std::runtime_error(name + ", cannot be read: " + std::strerror(error));
  if ((about.st_mode & 07) != 0)
    throw std::runtime_error(name + ", may be read by everybody: chmod 600 it, and make another one");
  out.resize(static_cast<std::size_t>(n));
  if (out.size() > kMostSecretBytes) throw std::runtime_error(name + ", has more than 4096 bytes");
  while (!out.empty() && std::strchr(" \t\r\n", out.back())) out.pop_back();
  if (out.size() < kLeastSecretBytes)
    throw std::runtime_error(name + ", has fewer than 16 bytes: head -c 24 /dev/urandom | base64 makes one");
  return out;
}

}  // namespace callis::life_cycle
