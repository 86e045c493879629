// SPDX-License-Identifier: Apache-2.0
#include <callis/ior/ior.h>
#include <gtest/gtest.h>

namespace callis::ior {
namespace {

TEST(Describe, ShowsProfilesAddressesKeysAndComponents) {
  IiopProfile p{{1, 2}, {"host", 4711}, {'k', 1}, {}};
  p.components = {orb_type_component(0x41544F00), code_sets_component({{kIso8859_1, {kUtf8}}, {kUtf16, {}}}),
                  alternate_address_component({"::1", 99}), {0x1234, {0xAB}}};
  EXPECT_EQ(describe({"IDL:A:1.0", {to_profile(p)}}),
            "type id: IDL:A:1.0\n"
            "profile 0: IIOP 1.2, host:4711\n"
            "  object key: 2 bytes, 6b01 \"k\\x01\"\n"
            "  component TAG_ORB_TYPE: 0x41544f00 \"ATO\"\n"
            "  component TAG_CODE_SETS: char: native ISO 8859-1, converts UTF-8; wchar: native UTF-16\n"
            "  component TAG_ALTERNATE_IIOP_ADDRESS: [::1]:99\n"
            "  component 0x00001234: 1 bytes, ab\n");
}

TEST(Describe, ShowsMemoryAndUnknownProfiles) {
  EXPECT_EQ(describe({"", {to_profile(MemoryProfile{"here", {7}}), {kMultipleComponents, {1}}, {0x99, {}}}}),
            "type id: (none)\n"
            "profile 0: memory, endpoint here\n"
            "  object key: 1 bytes, 07 \"\\x07\"\n"
            "profile 1: TAG_MULTIPLE_COMPONENTS\n"
            "  data: 1 bytes, 01 \"\\x01\"\n"
            "profile 2: tag 0x00000099\n"
            "  data: 0 bytes\n");
}

TEST(Describe, SaysNil) { EXPECT_EQ(describe({}), "type id: (none)\nnil reference: no profiles\n"); }

TEST(Describe, SaysWhatIsMalformed) {
  const std::string s = describe({"", {{kInternetProfile, {0, 1, 2}}, {kMemoryProfile, {5}}}});
  EXPECT_NE(s.find("malformed, Truncated: IIOP profile: host or port"), std::string::npos) << s;
  EXPECT_NE(s.find("malformed, BadEncapsulation: memory profile"), std::string::npos) << s;
}

TEST(Describe, ShowsMalformedComponentsAsBytes) {
  IiopProfile p{{1, 2}, {"h", 1}, {}, {{kOrbType, {0}}, {kCodeSets, {0}}, {kAlternateIiopAddress, {0}}}};
  const std::string s = describe({"", {to_profile(p)}});
  EXPECT_NE(s.find("TAG_ORB_TYPE: 1 bytes, 00\n"), std::string::npos) << s;
  EXPECT_NE(s.find("TAG_CODE_SETS: 1 bytes, 00\n"), std::string::npos) << s;
  EXPECT_NE(s.find("TAG_ALTERNATE_IIOP_ADDRESS: 1 bytes, 00\n"), std::string::npos) << s;
}

TEST(Describe, EscapesAndBoundsWhatCameFromOutside) {
  Ior evil{"\x1b[31m\n" + std::string(100000, 'x'), {}};
  for (int i = 0; i < 1000; ++i) evil.profiles.push_back({0x42, Bytes(50000, 0x1b)});
  const std::string s = describe(evil);
  EXPECT_LT(s.size(), 64u * 1024);
  EXPECT_EQ(s.find('\x1b'), std::string::npos);
  EXPECT_NE(s.find("\\x1b[31m\\x0a"), std::string::npos);
  EXPECT_NE(s.find("and more profiles"), std::string::npos);
}

}  // namespace
}  // namespace callis::ior
