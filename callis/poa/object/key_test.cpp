// SPDX-License-Identifier: Apache-2.0
// Object keys: what they say, and which ones are refused.
#include <callis/poa/object/key.h>
#include <gtest/gtest.h>
#include <random>

namespace callis::poa {
namespace {

const Nonce kNonce{1, 2, 3, 4, 5, 6, 7, 8};

std::vector<Byte> join(std::vector<Byte> prefix, std::string_view id) {
  prefix.insert(prefix.end(), id.begin(), id.end());
  return prefix;
}
std::string text(ByteView v) { return {reinterpret_cast<const char*>(v.data()), v.size()}; }

TEST(Key, SystemKeyReturnsItsNumbers) {
  const SystemKeyPrefix prefix(kNonce);
  Byte key[kSystemKeyBytes];
  prefix.build({0x10002, 77, 9}, key);
  SystemId id;
  ASSERT_TRUE(prefix.parse(key, id));
  EXPECT_EQ(id, (SystemId{0x10002, 77, 9}));
}

TEST(Key, SystemKeyOfAnotherBootIsRefused) {
  Byte key[kSystemKeyBytes];
  SystemKeyPrefix(kNonce).build({1, 2, 3}, key);
  Nonce other = kNonce;
  other[7] ^= 1;
  SystemId id;
  EXPECT_FALSE(SystemKeyPrefix(other).parse(key, id));
  EXPECT_EQ(parse_key(key, other).kind, KeyKind::Foreign);
}

TEST(Key, SystemKeyOfWrongLengthIsRefused) {
  const SystemKeyPrefix prefix(kNonce);
  Byte key[kSystemKeyBytes + 1] = {};
  Byte right[kSystemKeyBytes];
  prefix.build({1, 2, 3}, right);
  std::memcpy(key, right, sizeof right);
  SystemId id;
  for (std::size_t n = 0; n <= sizeof key; ++n) {
    const ByteView view(key, n);
    EXPECT_EQ(prefix.parse(view, id), n == kSystemKeyBytes) << n;
    EXPECT_EQ(parse_key(view, kNonce).kind == KeyKind::System, n == kSystemKeyBytes) << n;
  }
}

TEST(Key, SystemObjectIdIsTheEndOfTheKeyAndHoldsTheAdapter) {
  Byte key[kSystemKeyBytes];
  SystemKeyPrefix(kNonce).build({5, 6, 7}, key);
  const ParsedKey parsed = parse_key(key, kNonce);
  ASSERT_EQ(parsed.kind, KeyKind::System);
  EXPECT_EQ(parsed.adapter, 5u);
  ASSERT_EQ(parsed.object_id.size(), kSystemIdBytes);
  SystemId id;
  std::memcpy(&id, parsed.object_id.data(), sizeof id);
  EXPECT_EQ(id, (SystemId{5, 6, 7}));
}

TEST(Key, UserKeyReturnsAdapterAndId) {
  const auto key = join(user_key_prefix(kNonce, 42), "account-1");
  ASSERT_EQ(key.size(), kUserKeyPrefixBytes + 9);
  const ParsedKey parsed = parse_key(key, kNonce);
  EXPECT_EQ(parsed.kind, KeyKind::User);
  EXPECT_EQ(parsed.adapter, 42u);
  EXPECT_EQ(text(parsed.object_id), "account-1");
}

TEST(Key, UserKeyMayHaveAnEmptyId) {
  const ParsedKey parsed = parse_key(user_key_prefix(kNonce, 1), kNonce);
  EXPECT_EQ(parsed.kind, KeyKind::User);
  EXPECT_TRUE(parsed.object_id.empty());
}

TEST(Key, PersistentKeyReturnsPathAndId) {
  const auto path = encode_path({"bank", "accounts/eu"});
  const auto key = join(persistent_key_prefix(path), "7");
  const ParsedKey parsed = parse_key(key, kNonce);
  ASSERT_EQ(parsed.kind, KeyKind::Persistent);
  EXPECT_EQ(text(parsed.path), text(path));
  EXPECT_EQ(text(parsed.object_id), "7");
  PathReader names(parsed.path);
  std::string_view name;
  ASSERT_TRUE(names.next(name));
  EXPECT_EQ(name, "bank");
  ASSERT_TRUE(names.next(name));
  EXPECT_EQ(name, "accounts/eu");
  EXPECT_FALSE(names.next(name));
}

TEST(Key, PersistentKeyIsTheSameInEveryProcess) {
  const auto key = join(persistent_key_prefix(encode_path({"a"})), "id");
  Nonce other = kNonce;
  other[0] ^= 0xff;
  EXPECT_EQ(parse_key(key, other).kind, KeyKind::Persistent);
}

TEST(Key, PathsOfDifferentNamesDiffer) {
  EXPECT_NE(encode_path({"a", "b"}), encode_path({"ab"}));
  EXPECT_NE(encode_path({"a", ""}), encode_path({"a"}));
  EXPECT_NE(encode_path({"a/b"}), encode_path({"a", "b"}));
}

TEST(Key, PersistentKeyCutAnywhereInsideThePathIsForeign) {
  const auto prefix = persistent_key_prefix(encode_path({"bank", "accounts"}));
  for (std::size_t n = 0; n < prefix.size(); ++n)
    EXPECT_EQ(parse_key(ByteView(prefix.data(), n), kNonce).kind, KeyKind::Foreign) << n;
}

TEST(Key, NameLengthsNearTheLimitOfTheirTypeAreForeign) {
  for (const std::uint32_t length : {0x7fffffffu, 0x80000000u, 0xfffffffbu, 0xfffffffcu, 0xffffffffu}) {
    const std::vector<Byte> key = {0xca, 0x11, 0x15, 'P', 0, 1, static_cast<Byte>(length >> 24),
                                   static_cast<Byte>(length >> 16), static_cast<Byte>(length >> 8),
                                   static_cast<Byte>(length), 'x', 'y'};
    EXPECT_EQ(parse_key(key, kNonce).kind, KeyKind::Foreign);
  }
}

TEST(Key, RandomBytesNeverParseOutsideThemselves) {
  std::mt19937 random(7);
  const auto good = join(persistent_key_prefix(encode_path({"bank", "x"})), "object");
  for (int i = 0; i < 20000; ++i) {
    // Half of them noise, half good keys with a few bytes changed.
    std::vector<Byte> key = good;
    if (i & 1) {
      key.resize(random() % 64);
      for (Byte& b : key) b = static_cast<Byte>(random());
    } else {
      for (int k = 0; k < 3; ++k) key[random() % key.size()] = static_cast<Byte>(random());
    }
    const ParsedKey parsed = parse_key(key, kNonce);
    for (const ByteView part : {parsed.path, parsed.object_id}) {
      if (part.empty()) continue;
      EXPECT_GE(part.data(), key.data());
      EXPECT_LE(part.data() + part.size(), key.data() + key.size());
    }
    PathReader names(parsed.path);
    std::string_view name;
    int count = 0;
    while (names.next(name)) ++count;
    EXPECT_LE(count, 64);
  }
}

TEST(Key, NoncesDiffer) { EXPECT_NE(draw_nonce(), draw_nonce()); }

}  // namespace
}  // namespace callis::poa
