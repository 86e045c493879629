// SPDX-License-Identifier: Apache-2.0
// Profiles and components against bytes written by hand.
#include <callis/ior/ior.h>
#include <gtest/gtest.h>
#include <cstring>

namespace callis::ior {
namespace {

IiopProfile sample_profile() {
  return {{1, 2}, {"host.example", 4711}, {1, 2, 3, 4, 5}, {orb_type_component(kCallisOrbType), {99, {8, 9}}}};
}

// 9.7.2, byte-exact
TEST(IiopProfile, OfVersion10HasNoComponents) {
  const IiopProfile p{{1, 0}, {"h", 0x1234}, {0xAA, 0xBB}, {{99, {1}}}};
  EXPECT_EQ(to_profile(p, ByteOrder::Big).data,
            (Bytes{0, 1, 0, 0, 0, 0, 0, 2, 'h', 0, 0x12, 0x34, 0, 0, 0, 2, 0xAA, 0xBB}));
}
TEST(IiopProfile, OfVersion12EndsInComponents) {
  const IiopProfile p{{1, 2}, {"h", 0x1234}, {0xAA, 0xBB, 0xCC, 0xDD}, {{99, {7}}}};
  EXPECT_EQ(to_profile(p, ByteOrder::Little).data,
            (Bytes{1, 1, 2, 0, 2, 0, 0, 0, 'h', 0, 0x34, 0x12, 4, 0, 0, 0, 0xAA, 0xBB, 0xCC, 0xDD,
                   1, 0, 0, 0, 99, 0, 0, 0, 1, 0, 0, 0, 7}));
}

TEST(IiopProfile, RoundTripsInEveryVersionAndOrder) {
  for (std::uint8_t minor = 0; minor <= 2; ++minor) {
    for (const ByteOrder order : {ByteOrder::Big, ByteOrder::Little}) {
      IiopProfile p = sample_profile();
      p.version.minor = minor;
      if (minor == 0) p.components.clear();
      const auto back = parse_iiop(to_profile(p, order).data);
      ASSERT_TRUE(back.ok());
      EXPECT_EQ(back.value(), p);
    }
  }
}

TEST(IiopProfile, OfAHigherMinorVersionIsReadAs12) {
  IiopProfile p = sample_profile();
  p.version.minor = 7;
  TaggedProfile t = to_profile(p);
  t.data.insert(t.data.end(), {1, 2, 3});  // members we know nothing of
  const auto back = parse_iiop(t.data);
  ASSERT_TRUE(back.ok());
  EXPECT_EQ(back.value(), p);
}

TEST(IiopProfile, OfAnotherMajorVersionIsRefused) {
  TaggedProfile t = to_profile(sample_profile());
  t.data[1] = 2;
  EXPECT_EQ(parse_iiop(t.data).fault(), Fault::BadVersion);
}

TEST(IiopProfile, RefusesAnUnknownByteOrderAndAnEmptyBody) {
  TaggedProfile t = to_profile(sample_profile());
  t.data[0] = 2;
  EXPECT_EQ(parse_iiop(t.data).fault(), Fault::BadEncapsulation);
  EXPECT_EQ(parse_iiop({}).fault(), Fault::BadEncapsulation);
}

TEST(IiopProfile, RefusesHostsWithLineEndsOrBlanks) {
  for (const char* host : {"a\nb", "a b", "a\tb", "\x7f", "x\r"}) {
    IiopProfile p = sample_profile();
    p.address.host = host;
    EXPECT_EQ(parse_iiop(to_profile(p).data).fault(), Fault::BadReference) << host;
  }
}
TEST(IiopProfile, RefusesAHostWithANulInside) {
  IiopProfile p = sample_profile();
  p.address.host = std::string("a\0b", 3);
  EXPECT_EQ(parse_iiop(to_profile(p).data).fault(), Fault::BadString);
}

TEST(IiopProfile, EveryTruncationIsAFault) {
  const TaggedProfile t = to_profile(sample_profile());
  for (std::size_t n = 0; n < t.data.size(); ++n) EXPECT_FALSE(parse_iiop(ByteView(t.data.data(), n)).ok()) << n;
}

TEST(IiopProfile, HoldsToTheLimitOfComponents) {
  IiopProfile p = sample_profile();
  p.components.assign(64, {99, {}});
  EXPECT_TRUE(parse_iiop(to_profile(p).data).ok());
  p.components.push_back({99, {}});
  EXPECT_EQ(parse_iiop(to_profile(p).data).fault(), Fault::LimitExceeded);
}

TEST(IiopProfile, RefusesAMillionComponentsAnnouncedInAFewBytes) {
  TaggedProfile t = to_profile(IiopProfile{{1, 2}, {"h", 1}, {}, {}}, ByteOrder::Big);
  t.data[t.data.size() - 4] = 0;
  t.data[t.data.size() - 3] = 0x0F;
  EXPECT_EQ(parse_iiop(t.data).fault(), Fault::BadCount);
}

TEST(Addresses, PutTheProfilesOwnFirst) {
  IiopProfile p = sample_profile();
  p.components.push_back(alternate_address_component({"second", 2}));
  p.components.push_back(alternate_address_component({"::1", 3}, ByteOrder::Big));
  const std::vector<Address> expected{{"host.example", 4711}, {"second", 2}, {"::1", 3}};
  EXPECT_EQ(addresses(p), expected);
}
TEST(Addresses, LeaveOutPortZeroEmptyHostsAndMalformedComponents) {
  IiopProfile p = sample_profile();
  p.address.port = 0;
  p.components.push_back(alternate_address_component({"zero", 0}));
  p.components.push_back(alternate_address_component({"", 5}));
  p.components.push_back({kAlternateIiopAddress, {0, 0, 0}});
  p.components.push_back(alternate_address_component({"good", 5}));
  EXPECT_EQ(addresses(p), (std::vector<Address>{{"good", 5}}));
}

TEST(OrbType, IsReadBack) {
  EXPECT_EQ(orb_type(sample_profile()), kCallisOrbType);
  IiopProfile p = sample_profile();
  p.components.clear();
  EXPECT_EQ(orb_type(p), std::nullopt);
  p.components.push_back({kOrbType, {0, 0, 0, 0, 1}});  // too short
  EXPECT_EQ(orb_type(p), std::nullopt);
}
TEST(OrbType, ComponentIsAnEncapsulatedULong) {
  EXPECT_EQ(orb_type_component(0x01020304, ByteOrder::Big).data, (Bytes{0, 0, 0, 0, 1, 2, 3, 4}));
}

TEST(CodeSets, AreReadFromABigEndianComponent) {  // 7.10.2.4, byte-exact
  const Bytes data{0, 0, 0, 0, 0x00, 0x01, 0x00, 0x01, 0, 0, 0, 1, 0x05, 0x01, 0x00, 0x01,
                   0x00, 0x01, 0x01, 0x09, 0, 0, 0, 0};
  const auto sets = parse_code_sets(data);
  ASSERT_TRUE(sets.ok());
  const CodeSetComponent expected{{kIso8859_1, {kUtf8}}, {kUtf16, {}}};
  EXPECT_EQ(sets.value(), expected);
  EXPECT_EQ(code_sets_component(expected, ByteOrder::Big).data, data);
}
TEST(CodeSets, OffersConversionOfAllThatIsNotNative) {
  const CodeSetComponent latin1 = offered_code_sets(kIso8859_1, kUtf16), utf8 = offered_code_sets(kUtf8, kUcs4);
  EXPECT_EQ(latin1.for_char, (CodeSets{kIso8859_1, {kUtf8}}));
  EXPECT_EQ(utf8.for_char, (CodeSets{kUtf8, {kIso8859_1}}));
  EXPECT_EQ(latin1.for_wchar,
            (CodeSets{kUtf16, {0x00010104, 0x00010105, 0x00010106, 0x00010100, 0x00010101, 0x00010102}}));
  EXPECT_EQ(utf8.for_wchar, (CodeSets{kUcs4, {kUtf16, 0x00010105, 0x00010106, 0x00010100, 0x00010101, 0x00010102}}));
  for (const auto c : utf8.for_wchar.conversion) EXPECT_TRUE(is_code_set_for_wchar(c) && !is_code_set_for_char(c));
}
TEST(CodeSets, EveryTruncationIsAFault) {
  const TaggedComponent c = code_sets_component(offered_code_sets(kIso8859_1, kUtf16));
  for (std::size_t n = 0; n < c.data.size(); ++n) EXPECT_FALSE(parse_code_sets(ByteView(c.data.data(), n)).ok()) << n;
}
TEST(CodeSets, RefuseMoreConversionsThanTheLimit) {
  CodeSetComponent many = offered_code_sets(kIso8859_1, kUtf16);
  many.for_char.conversion.assign(64, kUtf8);
  EXPECT_TRUE(parse_code_sets(code_sets_component(many).data).ok());
  many.for_char.conversion.push_back(kUtf8);
  EXPECT_EQ(parse_code_sets(code_sets_component(many).data).fault(), Fault::LimitExceeded);
}

// 7.10.2.6
std::uint32_t chosen(const CodeSets& client, const CodeSets& server, std::uint32_t fallback) {
  return choose_code_set(client, server, fallback).value();
}
TEST(ChooseCodeSet, TakesTheCommonNativeSet) {
  EXPECT_EQ(chosen({kUtf8, {}}, {kUtf8, {kIso8859_1}}, kUtf8), kUtf8);
}
TEST(ChooseCodeSet, PrefersConversionByTheClient) {
  EXPECT_EQ(chosen({kIso8859_1, {kUtf8}}, {kUtf8, {kIso8859_1}}, kUtf8), kUtf8);
}
TEST(ChooseCodeSet, LetsTheServerConvertOtherwise) {
  EXPECT_EQ(chosen({kIso8859_1, {}}, {0x0001000F, {kIso8859_1}}, kUtf8), kIso8859_1);
}
TEST(ChooseCodeSet, TakesTheServersFirstCommonConversion) {
  EXPECT_EQ(chosen({1, {10, 20}}, {2, {30, 20, 10}}, kUtf8), 20u);
}
TEST(ChooseCodeSet, FallsBackWhereTheNativeSetsHaveCharactersInCommon) {
  EXPECT_EQ(chosen({kIso8859_1, {10}}, {0x0001000F, {20}}, kUtf8), kUtf8);  // ISO 8859-15
  EXPECT_EQ(chosen({kUtf16, {10}}, {0x00030010, {20}}, kUtf16), kUtf16);    // Japanese EUC
  EXPECT_EQ(chosen({kIso8859_1, {10}}, {kUtf8, {20}}, kUtf8), kUtf8);
}
TEST(ChooseCodeSet, GivesUpWhereTheyHaveNot) {
  EXPECT_EQ(choose_code_set({kIso8859_1, {10}}, {0x10020025, {20}}, kUtf8).fault(),
            Fault::CodeSetsIncompatible);  // EBCDIC
  EXPECT_EQ(choose_code_set({1, {10}}, {0, {}}, kUtf16).fault(), Fault::NoWideCodeSet);
}

// As TAO writes it: {version; string path; sequence<octet> key; components}.
TEST(UiopProfile, IsAnIiopProfileWithAPath) {
  const TaggedProfile t = uiop_profile({1, 2}, "/s", Bytes{7}, {}, ByteOrder::Big);
  EXPECT_EQ(t.tag, 0x54414F00u);
  EXPECT_EQ(t.data, (Bytes{0, 1, 2, 0, 0, 0, 0, 3, '/', 's', 0, 0, 0, 0, 0, 1, 7, 0, 0, 0, 0, 0, 0, 0}));
  EXPECT_EQ(parse_uiop(t.data).value(), (IiopProfile{{1, 2}, {"/s", 0}, {7}, {}}));
  ByteView key;
  EXPECT_EQ(find_object_key(t.tag, t.data, key), Fault::None);
  EXPECT_EQ(Bytes(key.begin(), key.end()), Bytes{7});
}
TEST(UiopProfile, EveryTruncationAndARelativePathIsAFault) {
  const TaggedProfile t =
      uiop_profile({1, 1}, "/run/a b", Bytes{1, 2, 3}, {orb_type_component(1)}, ByteOrder::Little);
  EXPECT_EQ(parse_uiop(t.data)->address.host, "/run/a b");
  for (std::size_t n = 0; n < t.data.size(); ++n) EXPECT_FALSE(parse_uiop(ByteView(t.data.data(), n)).ok()) << n;
  EXPECT_EQ(parse_uiop(uiop_profile({1, 2}, "s", Bytes{1}, {}).data).fault(), Fault::BadReference);
  EXPECT_EQ(parse_uiop(uiop_profile({1, 2}, "", Bytes{1}, {}).data).fault(), Fault::BadReference);
}
// As omniORB writes it: an encapsulation of {string host; string path}.
TEST(UnixAddress, ComponentNamesHostAndPath) {
  const UnixAddress a{"vm", "/s"};
  const TaggedComponent c = unix_address_component(a, ByteOrder::Big);
  EXPECT_EQ(c.tag, 0x41545402u);
  EXPECT_EQ(c.data, (Bytes{0, 0, 0, 0, 0, 0, 0, 3, 'v', 'm', 0, 0, 0, 0, 0, 3, '/', 's', 0}));
  EXPECT_EQ(parse_unix_address(c.data).value(), a);
  for (std::size_t n = 0; n < c.data.size(); ++n)
    EXPECT_FALSE(parse_unix_address(ByteView(c.data.data(), n)).ok()) << n;
}

TEST(MemoryProfile, RoundTripsAndFaultsWhenTruncated) {
  const MemoryProfile p{"endpoint-1", {9, 8, 7}};
  const TaggedProfile t = to_profile(p, ByteOrder::Big);
  EXPECT_EQ(t.tag, 0x43414C00u);
  const auto back = parse_memory(t.data);
  ASSERT_TRUE(back.ok());
  EXPECT_EQ(back.value(), p);
  for (std::size_t n = 0; n < t.data.size(); ++n) EXPECT_FALSE(parse_memory(ByteView(t.data.data(), n)).ok()) << n;
}

TEST(FindObjectKey, ViewsTheKeyInIiopAndMemoryProfiles) {
  const TaggedProfile iiop = to_profile(sample_profile());
  ByteView key;
  ASSERT_EQ(find_object_key(iiop.tag, iiop.data, key), Fault::None);
  EXPECT_EQ(Bytes(key.begin(), key.end()), sample_profile().object_key);
  EXPECT_GE(key.data(), iiop.data.data());
  EXPECT_LE(key.data() + key.size(), iiop.data.data() + iiop.data.size());
  const TaggedProfile memory = to_profile(MemoryProfile{"e", {4, 2}});
  ASSERT_EQ(find_object_key(memory.tag, memory.data, key), Fault::None);
  EXPECT_EQ(Bytes(key.begin(), key.end()), (Bytes{4, 2}));
}
TEST(FindObjectKey, TellsUnknownTagsFromMalformedBodies) {
  const TaggedProfile t = to_profile(sample_profile());
  const Byte untouched[1] = {};
  ByteView key = untouched;
  EXPECT_EQ(find_object_key(kMultipleComponents, t.data, key), Fault::Unsupported);
  EXPECT_EQ(find_object_key(t.tag, ByteView(t.data.data(), 20), key), Fault::BadCount);
  EXPECT_EQ(key.data(), untouched);
}

}  // namespace
}  // namespace callis::ior
