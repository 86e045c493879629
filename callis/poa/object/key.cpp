// SPDX-License-Identifier: Apache-2.0
// Object keys, read and written.
#include <callis/base/endian.h>
#include <callis/poa/object/key.h>
#include <algorithm>
#include <random>

namespace callis::poa {
namespace {

constexpr Byte kMagic[3] = {0xca, 0x11, 0x15};
constexpr std::size_t kMagicBytes = 4;  // with the kind

std::vector<Byte> key_of_kind(KeyKind kind, ByteView rest) {
  std::vector<Byte> key;
  const Byte magic[kMagicBytes] = {kMagic[0], kMagic[1], kMagic[2], static_cast<Byte>(kind)};
  append(key, magic);
  append(key, rest);
  return key;
}

std::uint32_t network_ulong(const Byte* p) {
  return std::uint32_t{p[0]} << 24 | std::uint32_t{p[1]} << 16 | std::uint32_t{p[2]} << 8 | p[3];
}

// Bytes of the path that bytes begin with; 0 when there is none.
std::size_t path_length(ByteView bytes) {
  if (bytes.size() < 2) return 0;
  const std::size_t names = std::size_t{bytes[0]} << 8 | bytes[1];
  std::size_t at = 2;
  for (std::size_t i = 0; i < names; ++i) {
    if (bytes.size() - at < 4) return 0;
    const std::size_t length = network_ulong(bytes.data() + at);
    at += 4;
    if (bytes.size() - at < length) return 0;
    at += length;
  }
  return at;
}

// Parses the bytes behind the magic, or behind the nonce.
ParsedKey parse_path(KeyKind kind, ByteView rest) {
  const std::size_t n = path_length(rest);
  const std::size_t hint = kind == KeyKind::HintedPersistent ? kHintBytes : 0;
  if (n == 0 || rest.size() - n < hint) return {};
  return {kind, 0, rest.first(n), rest.subspan(n + hint)};
}
ParsedKey parse_named(ByteView rest, const Nonce& nonce) {
  if (rest.size() < nonce.size() || !std::equal(nonce.begin(), nonce.end(), rest.begin())) return {};
  return parse_path(KeyKind::Named, rest.subspan(nonce.size()));
}

ParsedKey parse_transient(KeyKind kind, ByteView rest, const Nonce& nonce) {
  if (rest.size() < nonce.size() + 4 || !std::equal(nonce.begin(), nonce.end(), rest.begin())) return {};
  if (kind == KeyKind::System && rest.size() != nonce.size() + kSystemIdBytes) return {};
  ParsedKey parsed;
  parsed.kind = kind;
  std::memcpy(&parsed.adapter, rest.data() + nonce.size(), 4);
  // A System id begins with the adapter's tag, others after it.
  const std::size_t before = kind == KeyKind::System ? 0 : kind == KeyKind::Hinted ? 4 + kHintBytes : 4;
  if (rest.size() < nonce.size() + before) return {};
  parsed.object_id = rest.subspan(nonce.size() + before);
  return parsed;
}

}  // namespace

Nonce draw_nonce() {
  std::random_device source;
  Nonce nonce;
  for (std::size_t i = 0; i < nonce.size(); i += 4) {
    const std::uint32_t r = source();
    std::memcpy(nonce.data() + i, &r, 4);
  }
  return nonce;
}

SystemKeyPrefix::SystemKeyPrefix(const Nonce& nonce) : nonce_(nonce) {
  std::copy(std::begin(kMagic), std::end(kMagic), bytes_.begin());
  bytes_[3] = static_cast<Byte>(KeyKind::System);
  std::copy(nonce.begin(), nonce.end(), bytes_.begin() + kMagicBytes);
}

void SystemKeyPrefix::build(const SystemId& id, Byte (&key)[kSystemKeyBytes]) const {
  std::memcpy(key, bytes_.data(), bytes_.size());
  std::memcpy(key + bytes_.size(), &id, sizeof id);
}

ParsedKey parse_key(ByteView key, const Nonce& nonce) {
  if (key.size() < kMagicBytes || !std::equal(std::begin(kMagic), std::end(kMagic), key.begin())) return {};
  const ByteView rest = key.subspan(kMagicBytes);
  switch (static_cast<KeyKind>(key[3])) {
    case KeyKind::System: return parse_transient(KeyKind::System, rest, nonce);
    case KeyKind::User: case KeyKind::Hinted: case KeyKind::Linear:
      return parse_transient(static_cast<KeyKind>(key[kKindAt]), rest, nonce);
    case KeyKind::Persistent: case KeyKind::HintedPersistent:
      return parse_path(static_cast<KeyKind>(key[kKindAt]), rest);
    case KeyKind::Named: return parse_named(rest, nonce);
    case KeyKind::Foreign: break;
  }
  return {};
}

ByteView adapter_part(ByteView key, const Nonce& nonce) {
  const ParsedKey parsed = parse_key(key, nonce);
  if (parsed.kind == KeyKind::Foreign) return {};
  if (parsed.path.empty()) return key.first(kUserKeyPrefixBytes);
  return key.first(static_cast<std::size_t>(parsed.path.data() + parsed.path.size() - key.data()));
}

void append(std::vector<Byte>& to, ByteView bytes) {
  to.resize(to.size() + bytes.size());
  std::copy(bytes.begin(), bytes.end(), to.end() - static_cast<std::ptrdiff_t>(bytes.size()));
}

std::vector<Byte> begin_path(std::size_t names) { return {static_cast<Byte>(names >> 8), static_cast<Byte>(names)}; }

void append_name(std::vector<Byte>& path, std::string_view name) {
  const std::size_t n = name.size();
  const Byte length[4] = {static_cast<Byte>(n >> 24), static_cast<Byte>(n >> 16), static_cast<Byte>(n >> 8),
                          static_cast<Byte>(n)};
  append(path, length);
  append(path, {reinterpret_cast<const Byte*>(name.data()), n});
}

std::vector<Byte> encode_path(const std::vector<std::string>& names) {
  std::vector<Byte> path = begin_path(names.size());
  for (const std::string& name : names) append_name(path, name);
  return path;
}

PathReader::PathReader(ByteView path) : rest_(path.size() < 2 ? ByteView{} : path.subspan(2)) {}

bool PathReader::next(std::string_view& name) {
  if (rest_.size() < 4) return false;
  const std::size_t length = network_ulong(rest_.data());
  if (rest_.size() - 4 < length) return false;
  name = {reinterpret_cast<const char*>(rest_.data()) + 4, length};
  rest_ = rest_.subspan(4 + length);
  return true;
}

std::vector<Byte> user_key_prefix(const Nonce& nonce, std::uint32_t adapter, KeyKind kind) {
  std::vector<Byte> prefix = key_of_kind(kind, nonce);
  append(prefix, {reinterpret_cast<const Byte*>(&adapter), sizeof adapter});
  return prefix;
}

std::vector<Byte> persistent_key_prefix(ByteView path, KeyKind kind) { return key_of_kind(kind, path); }

std::vector<Byte> named_key_prefix(const Nonce& nonce, ByteView path) {
  std::vector<Byte> prefix = key_of_kind(KeyKind::Named, nonce);
  append(prefix, path);
  return prefix;
}

}  // namespace callis::poa
