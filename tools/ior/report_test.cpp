// SPDX-License-Identifier: Apache-2.0
// What `callis ior` says of references: those of omniORB 4.2 and JacORB 3.9 as their programs print them, ours, and
// ones made here.
#include <callis/ior/tls_component.h>
#include <callis/poa/object/key.h>
#include <callis/transport/unix/unix.h>
#include <gtest/gtest.h>
#include <tools/ior/components.h>
#include <tools/ior/object_key.h>
#include <tools/ior/report.h>
#include <tools/ior/testing/foreign_references.h>
#include <tools/ior/testing/text.h>

namespace callis::tools {
namespace {

using ior::Bytes;
using ior::IiopProfile;
using ior::Ior;
using ior::to_profile;
using testing::has;

std::string lines_of(std::string_view text) {
  const ior::ParsedReference parsed = ior::parse_reference(text);
  const auto* error = std::get_if<ior::TextError>(&parsed);
  return error ? error->text() : to_lines(report(parsed).tree);
}
std::string lines_of(const Ior& ior) { return to_lines(report(ior).tree); }
std::string json_of(const Ior& ior) { return to_json(report(ior).tree); }

TEST(IorReport, OfOmniORB) {
  EXPECT_EQ(lines_of(testing::kOmniOrbReference),
            "type: IDL:omg.org/CosNaming/NamingContextExt:1.0\n"
            "made by: omniORB\n"
            "profile 1: IIOP 1.2\n"
            "  address: 127.0.0.1:28555\n"
            "  address: socket /tmp/comfort/omni.sock on host vm\n"
            "  object key: 11 bytes\n"
            "    text: NameService\n"
            "    hex: 4e616d6553657276696365\n"
            "  component TAG_ORB_TYPE: omniORB\n"
            "  component TAG_CODE_SETS:\n"
            "    char: ISO 8859-1; converts UTF-8\n"
            "    wchar: UTF-16; converts UTF-16\n"
            "  component TAG_OMNIORB_UNIX_TRANS: /tmp/comfort/omni.sock on host vm\n"
            "  component TAG_OMNIORB_PERSISTENT_ID: 8 bytes\n"
            "    hex: a67a056b0100216f\n");
}

TEST(IorReport, OfJacORB) {
  EXPECT_EQ(lines_of(testing::kJacOrbReference),
            "type: IDL:Bank/Account:1.0\n"
            "made by: JacORB\n"
            "profile 1: IIOP 1.2\n"
            "  address: 127.0.0.1:28556\n"
            "  object key: 30 bytes\n"
            "    text: 7282046492/\\x005 F\\x0b-\"H\\x10\\x060F8\\x14\\x14\\x1bHL\\x1b\n"
            "    hex: 373238323034363439322f003520460b2d2248100630463814141b484c1b\n"
            "  component TAG_ORB_TYPE: JacORB\n"
            "  component TAG_CODE_SETS:\n"
            "    char: UTF-8; converts ISO 8859-1, ISO 8859-15\n"
            "    wchar: UTF-16; converts UTF-8, UCS-2 level 1\n");
}

TEST(IorReport, TakesTransientKeysOfOursApartInEitherByteOrder) {
  for (const ByteOrder order : {ByteOrder::Big, ByteOrder::Little}) {
    Bytes key{0xca, 0x11, 0x15, 'S', 1, 2, 3, 4, 5, 6, 7, 8};
    for (const std::uint32_t n : {3u, 70000u, 2u}) {
      Byte bytes[4];
      store(bytes, n, order != kNativeOrder);
      key.insert(key.end(), bytes, bytes + 4);
    }
    const std::string lines = lines_of(Ior{"IDL:A:1.0", {to_profile(IiopProfile{{1, 2}, {"h", 1}, key, {}}, order)}});
    EXPECT_TRUE(has(lines, "made by: callis\n")) << lines;
    EXPECT_TRUE(has(lines,
                    "    callis: transient object, id chosen by the ORB\n"
                    "      nonce of the ORB: 0102030405060708\n"
                    "      adapter number: 3\n"
                    "      slot: 70000\n"
                    "      generation: 2\n"
                    "      sealed: no\n"))
        << lines;
  }
}

TEST(IorReport, SeesTheSealOfUnguessableKeys) {
  Bytes key{0xca, 0x11, 0x15, 'S'};
  key.resize(32, 7);
  EXPECT_TRUE(has(lines_of(Ior{"", {to_profile(IiopProfile{{1, 2}, {"h", 1}, key, {}})}}), "sealed: yes\n"));
}

TEST(IorReport, TakesPersistentKeysOfOursApart) {
  Bytes key = poa::persistent_key_prefix(poa::encode_path({"Bank", "Branch\n7"}));
  for (const char c : std::string_view("account 1")) key.push_back(static_cast<Byte>(c));
  const std::string lines = lines_of(Ior{"IDL:A:1.0", {to_profile(IiopProfile{{1, 2}, {"h", 1}, key, {}})}});
  EXPECT_TRUE(has(lines,
                  "    callis: persistent object, id chosen by the application or the ORB\n"
                  "      adapter: RootPOA/Bank/Branch\\x0a7\n"
                  "      object id: 9 bytes\n"
                  "        text: account 1\n"
                  "        hex: 6163636f756e742031\n"))
      << lines;
}

TEST(IorReport, TakesEveryKindOfOurKeysApart) {
  const poa::Nonce nonce{1, 2, 3, 4, 5, 6, 7, 8};
  const auto words = [](Bytes key, std::initializer_list<Byte> rest) {
    key.insert(key.end(), rest);
    return lines_of(Ior{"", {to_profile(IiopProfile{{1, 2}, {"h", 1}, key, {}})}});
  };
  EXPECT_TRUE(has(words(poa::user_key_prefix(nonce, 9), {'x'}), "adapter number: 9\n      object id: 1 bytes\n"));
  EXPECT_TRUE(has(words(poa::user_key_prefix(nonce, 9, poa::KeyKind::Linear), {'x'}), "found by comparing"));
  EXPECT_TRUE(has(words(poa::user_key_prefix(nonce, 9, poa::KeyKind::Hinted), {0, 0, 0, 0, 0, 0, 0, 0, 'x'}),
                  "slot: 0\n      generation: 0\n      object id: 1 bytes\n"));
  EXPECT_TRUE(has(words(poa::named_key_prefix(nonce, poa::encode_path({"A"})), {'x'}), "adapter: RootPOA/A\n"));
  EXPECT_TRUE(has(words(poa::persistent_key_prefix(poa::encode_path({"A"}), poa::KeyKind::HintedPersistent),
                        {0, 0, 0, 0, 0, 0, 0, 0, 'x'}),
                  "generation: 0\n      object id: 1 bytes\n"));
}

TEST(IorReport, ListsAlternateAddressesAndSockets) {
  IiopProfile p{{1, 2}, {"::1", 4711}, {'k'}, {}};
  p.components = {ior::alternate_address_component({"other.example", 99})};
  const std::string lines =
      lines_of(Ior{"IDL:A:1.0", {to_profile(p), ior::uiop_profile({1, 2}, "/run/bank.sock", Bytes{'k'}, {})}});
  EXPECT_TRUE(has(lines, "profile 1: IIOP 1.2\n  address: [::1]:4711\n  address: other.example:99\n")) << lines;
  EXPECT_TRUE(has(lines, "  component TAG_ALTERNATE_IIOP_ADDRESS: other.example:99\n")) << lines;
  EXPECT_TRUE(has(lines, "profile 2: UIOP 1.2, TAO's, for Unix-domain sockets\n  address: socket /run/bank.sock\n"))
      << lines;
}

TEST(IorReport, SaysThatPort0IsNoAddress) {
  const std::string lines = lines_of(Ior{"IDL:A:1.0", {to_profile(IiopProfile{{1, 2}, {"h", 0}, {}, {}})}});
  EXPECT_TRUE(has(lines, "address: h:0, which is no TCP port: the components say how it is reached\n")) << lines;
}

TEST(IorReport, ShowsPortsOfTlsAndDoesNotAskThemWithoutCertificates) {
  IiopProfile p{{1, 2}, {"[2001:db8::1]", 0}, {'k'}, {}};
  p.components = {ior::tls_component({ior::kTlsProtection, ior::kTlsProtection, 2810})};
  const Ping ping = [](const Place&, giop::Version, ByteView) { return PingResult{true, true, "never"}; };
  const Report what = report(Ior{"IDL:A:1.0", {to_profile(p)}}, ping);
  EXPECT_FALSE(what.reached);
  const std::string lines = to_lines(what.tree);
  EXPECT_TRUE(has(lines, "address: [2001:db8::1]:2810 by TLS\n    ping: not tried: TLS needs --tls DIR")) << lines;
}

std::string component(std::uint32_t tag, Bytes data) {
  Tree root;
  root.add(describe_component({tag, std::move(data)}));
  return to_lines(root);
}

TEST(IorReport, ReadsComponentsOfTlsJavaAndPolicies) {
  EXPECT_EQ(component(20, {0, 0, 0, 0x26, 0, 0x06, 0x01, 0xbb}),
            "component TAG_SSL_SEC_TRANS: TLS on port 443\n"
            "  supports: Integrity, Confidentiality, EstablishTrustInTarget\n"
            "  requires: Integrity, Confidentiality\n");
  EXPECT_EQ(component(38, {0, 2}), "component TAG_RMI_CUSTOM_MAX_STREAM_FORMAT: 2\n");
  EXPECT_EQ(component(25, {0, 0, 0, 0, 0, 0, 0, 2, 'u', 0}), "component TAG_JAVA_CODEBASE: u\n");
  EXPECT_EQ(component(2, {0, 0, 0, 0, 0, 0, 0, 3,                                         // three policies
                          0, 0, 0, 25, 0, 0, 0, 6, 0, 0, 0, 1, 0, 5, 0, 0,               // RequestPriority 1..5
                          0, 0, 0, 40, 0, 0, 0, 10, 0, 0, 0, 0, 0, 0, 0, 1, 0, 7, 0, 0,  // SERVER_DECLARED
                          0, 0, 0, 99, 0, 0, 0, 1, 0}),
            "component TAG_POLICIES:\n"
            "  policy RequestPriority: 1 to 5\n"
            "  policy RTCORBA PriorityModel: SERVER_DECLARED, priority 7\n"
            "  policy 99: 00\n");
}

TEST(IorReport, NamesComponentsThatItDoesNotReadAndShowsTheirBytes) {
  EXPECT_EQ(component(33, {0, 1}), "component TAG_CSI_SEC_MECH_LIST: 2 bytes\n  hex: 0001\n");
  EXPECT_EQ(component(31, {9}), "component TAG_OTS_POLICY: 1 byte\n  hex: 09\n");
  EXPECT_EQ(component(0x1234, {}), "component 0x00001234: 0 bytes\n  hex:\n");
}

TEST(IorReport, SaysWhatIsMalformed) {
  EXPECT_EQ(component(0, {0, 1}), "component TAG_ORB_TYPE: malformed\n  hex: 0001\n");
  const std::string lines = lines_of(Ior{"IDL:A:1.0", {{ior::kInternetProfile, {0, 1, 2}}, {0x99, {1}}}});
  EXPECT_TRUE(has(lines, "profile 1: IIOP, malformed\n  malformed: Truncated: IIOP profile: host or port\n"))
      << lines;
  EXPECT_TRUE(has(lines, "profile 2: unknown tag 0x00000099, 1 bytes\n  hex: 01\n")) << lines;
}

TEST(IorReport, ReadsComponentsForAllProfiles) {
  const Bytes data{0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 8, 0, 0, 0, 0, 'T', 'A', 'O', 0};
  EXPECT_TRUE(has(lines_of(Ior{"", {{ior::kMultipleComponents, data}}}),
                  "profile 1: components for all profiles\n  component TAG_ORB_TYPE: TAO\n"));
}

TEST(IorReport, OfUrls) {
  EXPECT_EQ(lines_of("corbaloc:iiop:1.1@h:99/Bank"),
            "profile 1: IIOP 1.1\n  address: h:99\n  object key: 4 bytes\n    text: Bank\n    hex: 42616e6b\n");
  EXPECT_EQ(lines_of("corbaloc:rir:/Bank"), "initial reference: Bank\n");
  EXPECT_EQ(lines_of("corbaname:rir:#a/b.c"), "name: a/b.c\nin initial reference: NameService\n");
  EXPECT_TRUE(has(lines_of("corbaname::h#a"), "name: a\nin naming context:\n  profile 1: IIOP 1.0\n"));
}

TEST(IorReport, OfNil) { EXPECT_EQ(lines_of("IOR:00000000000000010000000000000000"), "nil: yes\n"); }

TEST(IorReport, AsJson) {
  EXPECT_EQ(json_of(Ior{"IDL:\"A\":1.0", {to_profile(IiopProfile{{1, 0}, {"h", 99}, {'\\'}, {}})}}), R"({
  "type": "IDL:\"A\":1.0",
  "profiles": [
    {
      "tag": 0,
      "name": "TAG_INTERNET_IOP",
      "version": "1.0",
      "addresses": [
        {
          "host": "h",
          "port": 99
        }
      ],
      "object_key": {
        "bytes": 1,
        "text": "\\x5c",
        "hex": "5c"
      },
      "components": []
    }
  ]
}
)");
}

TEST(IorReport, AsksEachAddressInOrder) {
  IiopProfile p{{1, 1}, {"one", 1}, {'k'}, {}};
  p.components = {ior::alternate_address_component({"two", 2}), ior::unix_address_component({"elsewhere", "/x"}),
                  ior::unix_address_component({transport::host_name(), "/y"})};
  std::vector<std::string> asked;
  const Ping ping = [&](const Place& place, giop::Version version, ByteView key) {
    EXPECT_EQ(version, giop::kGiop11);
    EXPECT_EQ(key.size(), 1u);
    asked.push_back(place.path.empty() ? place.host + ':' + std::to_string(place.port) : place.path);
    return PingResult{true, asked.size() == 2, "answer " + std::to_string(asked.size())};
  };
  const Report what = report(Ior{"IDL:A:1.0", {to_profile(p), to_profile(ior::MemoryProfile{"m", {}})}}, ping);
  EXPECT_EQ(asked, (std::vector<std::string>{"one:1", "two:2", "/y"}));
  EXPECT_TRUE(what.reached);
  const std::string lines = to_lines(what.tree);
  EXPECT_TRUE(has(lines, "  address: two:2\n    ping: answer 2\n")) << lines;
  EXPECT_TRUE(has(lines, "/x on host elsewhere\n    ping: not tried: this is another host\n")) << lines;
  EXPECT_TRUE(has(lines, "  address: memory:m\n    ping: not tried: nobody but that process can\n")) << lines;
}

}  // namespace
}  // namespace callis::tools
