// SPDX-License-Identifier: Apache-2.0
// SHA-256 (FIPS 180-4, section 6.2), HMAC over it (RFC 2104), and what homes show each other by that.
#include <callis/corba.h>
#include <fcntl.h>
#include <services/lifecycle/trust.h>
#include <sys/stat.h>
#include <unistd.h>
#include <array>
#include <bit>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <stdexcept>

namespace callis::life_cycle {

namespace {

constexpr std::size_t kBlock = 64, kMostSecretBytes = 4'096;

// The first 32 bits of the fractional parts of the cube roots of the first 64 primes.
constexpr std::array<std::uint32_t, 64> kRounds = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

using Words = std::array<std::uint32_t, 8>;

void take_block(Words& hash, const unsigned char* block) {
  std::array<std::uint32_t, 64> w;
  for (std::size_t i = 0; i < 16; ++i)
    w[i] = std::uint32_t{block[4 * i]} << 24 | std::uint32_t{block[4 * i + 1]} << 16 |
           std::uint32_t{block[4 * i + 2]} << 8 | block[4 * i + 3];
  for (std::size_t i = 16; i < 64; ++i) {
    const std::uint32_t a = w[i - 15], b = w[i - 2];
    w[i] = w[i - 16] + (std::rotr(a, 7) ^ std::rotr(a, 18) ^ a >> 3) + w[i - 7] +
           (std::rotr(b, 17) ^ std::rotr(b, 19) ^ b >> 10);
  }
  Words v = hash;
  for (std::size_t i = 0; i < 64; ++i) {
    const std::uint32_t e = v[4], a = v[0];
    const std::uint32_t one = v[7] + (std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25)) +
                              ((e & v[5]) ^ (~e & v[6])) + kRounds[i] + w[i];
    const std::uint32_t two = (std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22)) +
                              ((a & v[1]) ^ (a & v[2]) ^ (v[1] & v[2]));
    for (std::size_t k = 7; k > 0; --k) v[k] = v[k - 1];
    v[4] += one;
    v[0] = one + two;
  }
  for (std::size_t i = 0; i < 8; ++i) hash[i] += v[i];
}

std::string hexadecimal(std::string_view bytes) {
  std::string out;
  for (const char c : bytes) {
    const auto b = static_cast<unsigned char>(c);
    out += "0123456789abcdef"[b >> 4];
    out += "0123456789abcdef"[b & 15];
  }
  return out;
}

void append_length(std::string& to, std::uint64_t n) {
  for (int shift = 56; shift >= 0; shift -= 8) to += static_cast<char>(n >> shift & 0xff);
}

}  // namespace

std::string sha256(std::string_view text) {
  Words hash = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  std::string padded(text);
  padded += static_cast<char>(0x80);
  while (padded.size() % kBlock != kBlock - 8) padded += '\0';
  append_length(padded, std::uint64_t{text.size()} * 8);
  for (std::size_t at = 0; at < padded.size(); at += kBlock)
    take_block(hash, reinterpret_cast<const unsigned char*>(padded.data()) + at);
  std::string out;
  for (const std::uint32_t word : hash)
    for (int shift = 24; shift >= 0; shift -= 8) out += static_cast<char>(word >> shift & 0xff);
  return out;
}

std::string hmac_sha256(std::string_view key, std::string_view text) {
  std::string block = key.size() > kBlock ? sha256(key) : std::string(key);
  block.resize(kBlock, '\0');
  std::string inner = block, outer = block;
  for (char& c : inner) c = static_cast<char>(c ^ 0x36);
  for (char& c : outer) c = static_cast<char>(c ^ 0x5c);
  return sha256(outer + sha256(inner + std::string(text)));
}

Trust::Trust(std::string secret) : secret_(std::move(secret)) {
  if (!secret_.empty() && secret_.size() < kLeastSecretBytes)
    throw CORBA::BAD_PARAM(0, CORBA::COMPLETED_NO, "the secret of homes has fewer than 16 bytes");
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
  unsigned char differs = 0;
  for (std::size_t i = 0; i < kProofBytes; ++i) differs |= static_cast<unsigned char>(shown[i] ^ right[i]);
  return differs == 0;
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
