// SPDX-License-Identifier: Apache-2.0
// IOR: texts and corbaloc URLs.
#include <callis/ior/ior.h>
#include <callis/ior/tls_component.h>
#include <gtest/gtest.h>
#include <random>

namespace callis::ior {
namespace {

Ior bank_account() {
  return {"IDL:Bank/Account:1.0",
          {to_profile(IiopProfile{{1, 2}, {"host", 2809}, {1, 2, 3}, {}}), {0x7777, {0xFF, 0x00}}}};
}

// The error that parsing text gives; a default one (Other, offset 0, no reason) when it gives none.
TextError error_of(std::string_view text) {
  const ParsedReference r = parse_reference(text);
  const TextError* e = std::get_if<TextError>(&r);
  EXPECT_NE(e, nullptr) << text;
  return e ? *e : TextError{};
}
void expect_error(std::string_view text, TextProblem problem, std::size_t offset) {
  const TextError e = error_of(text);
  EXPECT_EQ(e.problem, problem) << text << ": " << e.text();
  EXPECT_EQ(e.offset, offset) << text << ": " << e.text();
  EXPECT_FALSE(e.reason.empty());
}
std::vector<IiopProfile> profiles_of(std::string_view text) {
  const ParsedReference r = parse_reference(text);
  std::vector<IiopProfile> out;
  if (const TextError* e = std::get_if<TextError>(&r)) ADD_FAILURE() << text << ": " << e->text();
  if (const Ior* ior = std::get_if<Ior>(&r)) {
    EXPECT_EQ(ior->type_id, "");
    for (const TaggedProfile& t : ior->profiles) out.push_back(parse_iiop(t.data).value());
  }
  return out;
}
std::string name_of(std::string_view text) {
  const ParsedReference r = parse_reference(text);
  const InitialReference* i = std::get_if<InitialReference>(&r);
  return i ? i->name : "(not an initial reference)";
}
Bytes key(std::string_view s) { return {s.begin(), s.end()}; }

TEST(IorText, RoundTrips) {
  const ParsedReference back = parse_reference(to_text(bank_account()));
  ASSERT_TRUE(std::holds_alternative<Ior>(back));
  EXPECT_EQ(std::get<Ior>(back), bank_account());
}
TEST(IorText, IsTheBigEndianEncapsulationInLowerCase) {  // 7.6.9, byte-exact
  EXPECT_EQ(to_text(Ior{"A", {{0xAB, {0xCD}}}}), "IOR:00000000000000024100000000000001000000ab00000001cd");
}
TEST(IorText, IsReadInAnyCaseAndLittleEndian) {
  const ParsedReference t = parse_reference("Ior:01000000020000004100000001000000Ab00000001000000cD");
  ASSERT_TRUE(std::holds_alternative<Ior>(t));
  EXPECT_EQ(std::get<Ior>(t), (Ior{"A", {{0xAB, {0xCD}}}}));
}
TEST(IorText, MayStandBetweenBlanksAndLineEnds) {
  const ParsedReference r = parse_reference(" \t" + to_text(bank_account()) + "\r\n");
  EXPECT_TRUE(std::holds_alternative<Ior>(r));
}
TEST(IorText, RefusesBlanksInside) { expect_error("IOR:00 00", TextProblem::SpecificPart, 6); }
TEST(IorText, OfTheNilReferenceIsNil) {
  const ParsedReference r = parse_reference("IOR:00000000000000010000000000000000");
  ASSERT_TRUE(std::holds_alternative<Ior>(r));
  EXPECT_TRUE(std::get<Ior>(r).is_nil());
}
TEST(IorText, RefusesAnOddNumberOfDigits) { expect_error("IOR:000", TextProblem::SpecificPart, 7); }
TEST(IorText, RefusesNoDigits) { expect_error("IOR:", TextProblem::SpecificPart, 4); }
TEST(IorText, PointsAtACharacterThatIsNoDigit) { expect_error("  IOR:00zz", TextProblem::SpecificPart, 8); }
TEST(IorText, RefusesDigitsThatAreNoReference) {
  expect_error("IOR:00", TextProblem::SpecificPart, 4);
  expect_error("IOR:07000000", TextProblem::SpecificPart, 4);
}
TEST(IorText, RefusesEveryTruncation) {
  const std::string whole = to_text(bank_account());
  for (std::size_t n = 0; n < whole.size(); ++n) {
    EXPECT_TRUE(std::holds_alternative<TextError>(parse_reference(whole.substr(0, n)))) << n;
  }
}
TEST(IorText, RefusesMoreThanAMessageMayHold) {
  Limits small;
  small.max_message_bytes = 16;
  EXPECT_TRUE(std::holds_alternative<Ior>(parse_reference("IOR:00000000000000010000000000000000", small)));
  small.max_message_bytes = 15;
  EXPECT_TRUE(std::holds_alternative<TextError>(parse_reference("IOR:00000000000000010000000000000000", small)));
}

TEST(Scheme, OthersAreRefused) {
  expect_error("", TextProblem::Scheme, 0);
  expect_error("file:///etc/passwd", TextProblem::Scheme, 0);
  expect_error("http://x/y", TextProblem::Scheme, 0);
  expect_error("DLL:x", TextProblem::Scheme, 0);
  expect_error("IO", TextProblem::Scheme, 0);
  expect_error("corbaloc", TextProblem::Scheme, 0);
}
NameInContext in_context(std::string_view text) {
  const ParsedReference r = parse_reference(text);
  if (const TextError* e = std::get_if<TextError>(&r)) ADD_FAILURE() << text << ": " << e->text();
  const NameInContext* n = std::get_if<NameInContext>(&r);
  EXPECT_NE(n, nullptr) << text;
  return n ? *n : NameInContext{};
}
// 7.6.10.2
TEST(Corbaname, IsAnAddressAndAName) {
  const NameInContext n = in_context("CorbaName::1.2@host:99,iiop:other/Root%20Key#a.b/c%5c.d%20e");
  ASSERT_EQ(n.context.profiles.size(), 2u);
  EXPECT_EQ(parse_iiop(n.context.profiles[0].data).value(), (IiopProfile{{1, 2}, {"host", 99}, key("Root Key"), {}}));
  EXPECT_EQ(n.name, "a.b/c\\.d e");
}
TEST(Corbaname, KeyIsNameServiceUnlessGiven) {
  for (const char* text : {"corbaname::h", "corbaname::h#", "corbaname::h/", "corbaname::h/#", "corbaname::h#n"})
    EXPECT_EQ(parse_iiop(in_context(text).context.profiles.at(0).data)->object_key, key("NameService")) << text;
  EXPECT_EQ(in_context("corbaname::h#").name, "");
}
TEST(Corbaname, OfAnInitialReference) {
  EXPECT_EQ(in_context("corbaname:rir:#a"), (NameInContext{{}, {"NameService"}, "a"}));
  EXPECT_EQ(in_context("corbaname:rir:/Other#a/b"), (NameInContext{{}, {"Other"}, "a/b"}));
  EXPECT_EQ(in_context("corbaname:rir:"), (NameInContext{{}, {"NameService"}, ""}));
}
TEST(Corbaname, OfASocket) {
  const NameInContext n = in_context("corbaname:uiop:/run/naming#a");
  EXPECT_EQ(parse_uiop(n.context.profiles.at(0).data)->address.host, "/run/naming");
  EXPECT_EQ(parse_uiop(n.context.profiles.at(0).data)->object_key, key("NameService"));
}
TEST(Corbaname, ErrorsSayWhere) {
  expect_error("corbaname:", TextProblem::Address, 10);
  expect_error("corbaname:#a", TextProblem::Address, 10);
  expect_error("corbaname:h#a", TextProblem::Address, 10);
  expect_error("corbaname::h:0#a", TextProblem::Address, 13);
  expect_error("corbaname::h#a b", TextProblem::SpecificPart, 14);
  expect_error("corbaname::h#a%4", TextProblem::SpecificPart, 14);
  expect_error("corbaname::h/a<#b", TextProblem::SpecificPart, 14);
  expect_error("corbaname::h#a#b", TextProblem::SpecificPart, 14);
}

// TAO's form.
std::vector<std::uint32_t> tags_of(std::string_view text) {
  const ParsedReference r = parse_reference(text);
  if (const TextError* e = std::get_if<TextError>(&r)) ADD_FAILURE() << text << ": " << e->text();
  std::vector<std::uint32_t> tags;
  if (const Ior* ior = std::get_if<Ior>(&r))
    for (const TaggedProfile& t : ior->profiles) tags.push_back(t.tag);
  return tags;
}
IiopProfile socket_of(std::string_view text, std::size_t n = 0) {
  const ParsedReference r = parse_reference(text);
  const Ior* ior = std::get_if<Ior>(&r);
  return ior && ior->profiles.size() > n ? parse_uiop(ior->profiles[n].data).value() : IiopProfile{};
}
// A port of TLS, as other ORBs spell it.
TEST(CorbalocSsliop, MakesAProfileWithPort0AndThePortOfTlsInAComponent) {
  const ParsedReference r = parse_reference("corbaloc:ssliop:h:684/k");
  const Ior* ior = std::get_if<Ior>(&r);
  ASSERT_TRUE(ior && ior->profiles.size() == 1);
  const IiopProfile p = parse_iiop(ior->profiles[0].data).value();
  EXPECT_EQ(p.version, (Version{1, 2}));
  EXPECT_EQ(p.address, (Address{"h", 0}));
  ASSERT_TRUE(p.component(kSslSecTrans));
  const TlsOffer offer = parse_tls_offer(p.component(kSslSecTrans)->data).value();
  EXPECT_EQ(offer, (TlsOffer{kTlsProtection, kTlsProtection, 684}));
  expect_error("corbaloc:ssliop:1.0@h/k", TextProblem::Address, 9);
}
TEST(CorbalocUiop, IsAPathAndAKeyBehindABar) {
  EXPECT_EQ(socket_of("corbaloc:uiop:1.2@/run/a b,c|Key/d").address.host, "");  // ',' separates addresses
  EXPECT_EQ(socket_of("corbaloc:uiop:1.2@/run/a b%2cc|Key/d"),
            (IiopProfile{{1, 2}, {"/run/a b,c", 0}, key("Key/d"), {}}));
  EXPECT_EQ(socket_of("corbaloc:UIOP:/run/s"), (IiopProfile{{1, 0}, {"/run/s", 0}, {}, {}}));
  EXPECT_EQ(socket_of("corbaloc:uiop:/at@1.1/s|k").address.host, "/at@1.1/s");
}
TEST(CorbalocUiop, StandsBesideOtherAddresses) {
  EXPECT_EQ(tags_of("corbaloc::h:1,uiop:/a/b,iiop:i|k/l"),
            (std::vector{kInternetProfile, kUiopProfile, kInternetProfile}));
  EXPECT_EQ(tags_of("corbaloc::h/k,uiop:/a"), std::vector{kInternetProfile}) << "all of it the key";
}
TEST(CorbalocUiop, ErrorsSayWhere) {
  expect_error("corbaloc:uiop:|k", TextProblem::Address, 14);
  expect_error("corbaloc:uiop:run/s|k", TextProblem::Address, 14);
  expect_error("corbaloc:uiop:1.2@|k", TextProblem::Address, 18);
  expect_error("corbaloc:uiop:2.0@/s|k", TextProblem::Address, 14);
  expect_error("corbaloc:uiop:/s%0|k", TextProblem::Address, 16);
  expect_error("corbaloc:uiop:/s%00|k", TextProblem::Address, 18);
  expect_error("corbaloc:uiop:/s|k|l", TextProblem::SpecificPart, 18);
}
TEST(TextProblem, GivesTheMinorCodesOfBadParam) {
  EXPECT_EQ(bad_param_minor(TextProblem::Scheme), 7u);
  EXPECT_EQ(bad_param_minor(TextProblem::Address), 8u);
  EXPECT_EQ(bad_param_minor(TextProblem::SpecificPart), 9u);
  EXPECT_EQ(bad_param_minor(TextProblem::Other), 10u);
}
TEST(TextError, SaysWhereAndWhy) {
  EXPECT_EQ((TextError{TextProblem::Address, 12, "why"}).text(), "at offset 12: why");
}

// 7.6.10.1
TEST(Corbaloc, DefaultsToIiop10AndPort2809) {
  EXPECT_EQ(profiles_of("corbaloc::host/Key"), (std::vector<IiopProfile>{{{1, 0}, {"host", 2809}, key("Key"), {}}}));
}
TEST(Corbaloc, TakesVersionHostAndPort) {
  EXPECT_EQ(profiles_of("corbaloc:iiop:1.2@a-b_c.example.org:65535/K"),
            (std::vector<IiopProfile>{{{1, 2}, {"a-b_c.example.org", 65535}, key("K"), {}}}));
}
TEST(Corbaloc, MakesAProfileForEachAddressInOrder) {
  EXPECT_EQ(profiles_of("corbaloc::host:1,iiop:1.1@host2/key%20str"),
            (std::vector<IiopProfile>{{{1, 0}, {"host", 1}, key("key str"), {}},
                                      {{1, 1}, {"host2", 2809}, key("key str"), {}}}));
}
TEST(Corbaloc, IgnoresTheCaseOfSchemeAndProtocol) {
  EXPECT_EQ(profiles_of("CORBALOC:IIOP:Host/K")[0].address.host, "Host");
  EXPECT_EQ(name_of("corbaloc:RIR:/X"), "X");
}
TEST(Corbaloc, KeyMayBeMissingOrEmpty) {
  EXPECT_TRUE(profiles_of("corbaloc::host")[0].object_key.empty());
  EXPECT_TRUE(profiles_of("corbaloc::host/")[0].object_key.empty());
}
TEST(Corbaloc, EmptyHostMeansLocalhost) {
  EXPECT_EQ(profiles_of("corbaloc::/K")[0].address, (Address{"localhost", 2809}));
  EXPECT_EQ(profiles_of("corbaloc:iiop::77/K")[0].address, (Address{"localhost", 77}));
}
TEST(Corbaloc, TakesIpv6InBrackets) {
  EXPECT_EQ(profiles_of("corbaloc::[::1]:99/K")[0].address, (Address{"::1", 99}));
  EXPECT_EQ(profiles_of("corbaloc::1.2@[fe80::1:2]/K")[0].address, (Address{"fe80::1:2", 2809}));
}
TEST(Corbaloc, TakesZonesOfIpv6) {
  EXPECT_EQ(profiles_of("corbaloc::[fe80::1%25eth0]:99/K")[0].address, (Address{"fe80::1%eth0", 99})) << "RFC 6874";
  EXPECT_EQ(profiles_of("corbaloc::[fe80::1%25en-1.2_x~3]/K")[0].address, (Address{"fe80::1%en-1.2_x~3", 2809}));
  EXPECT_EQ(profiles_of("corbaloc::[fe80::1%eth0]/K")[0].address, (Address{"fe80::1%eth0", 2809}));
}
TEST(Corbaloc, RefusesBadIpv6) {
  expect_error("corbaloc::[fe80::1%25]/K", TextProblem::Address, 11);
  expect_error("corbaloc::[fe80::1%]/K", TextProblem::Address, 11);
  expect_error("corbaloc::[fe80::1%25a b]/K", TextProblem::Address, 11);
  expect_error("corbaloc::[1.2.3.4%25eth0]/K", TextProblem::Address, 11);
  expect_error("corbaloc::[::1/K", TextProblem::Address, 10);
  expect_error("corbaloc::[]/K", TextProblem::Address, 11);
  expect_error("corbaloc::[1.2.3.4]/K", TextProblem::Address, 11);
  expect_error("corbaloc::[::g]/K", TextProblem::Address, 11);
  expect_error("corbaloc::[::1]x/K", TextProblem::Address, 15);
  expect_error(std::string_view("corbaloc::[::1\0]/K", 18), TextProblem::Address, 11);
}
TEST(Corbaloc, KeyTakesTheCharactersOfTheGrammar) {
  EXPECT_EQ(profiles_of("corbaloc::h/aZ09;/:?@&=+$,-_.!~*'()")[0].object_key, key("aZ09;/:?@&=+$,-_.!~*'()"));
}
TEST(Corbaloc, KeyTakesEscapesOfAnyOctet) {
  EXPECT_EQ(profiles_of("corbaloc::h/%00%fF%25")[0].object_key, (Bytes{0x00, 0xFF, '%'}));
}
TEST(Corbaloc, RefusesBrokenEscapes) {
  expect_error("corbaloc::h/%", TextProblem::SpecificPart, 12);
  expect_error("corbaloc::h/a%4", TextProblem::SpecificPart, 13);
  expect_error("corbaloc::h/%4g", TextProblem::SpecificPart, 12);
}
TEST(Corbaloc, RefusesCharactersThatMustBeEscaped) {
  expect_error("corbaloc::h/a b", TextProblem::SpecificPart, 13);
  expect_error("corbaloc::h/a#b", TextProblem::SpecificPart, 13);
  expect_error("corbaloc::h/\x80", TextProblem::SpecificPart, 12);
  expect_error(std::string_view("corbaloc::h/\0", 13), TextProblem::SpecificPart, 12);
}
TEST(Corbaloc, ErrorsHoldNoUnescapedText) {
  EXPECT_EQ(error_of("corbaloc::h/\n\x1b[").reason.find('\n'), std::string::npos);
  EXPECT_NE(error_of("corbaloc::h/\x1b").reason.find("\\x1b"), std::string::npos);
}
TEST(Corbaloc, RefusesBadPorts) {
  expect_error("corbaloc::h:0/K", TextProblem::Address, 12);
  expect_error("corbaloc::h:65536/K", TextProblem::Address, 12);
  expect_error("corbaloc::h:/K", TextProblem::Address, 12);
  expect_error("corbaloc::h:12a/K", TextProblem::Address, 12);
  expect_error("corbaloc::h:99999999999999999999/K", TextProblem::Address, 12);
  expect_error("corbaloc::h:-1/K", TextProblem::Address, 12);
}
TEST(Corbaloc, RefusesBadVersions) {
  expect_error("corbaloc::1@h/K", TextProblem::Address, 10);
  expect_error("corbaloc::2.0@h/K", TextProblem::Address, 10);
  expect_error("corbaloc::1.256@h/K", TextProblem::Address, 10);
  expect_error("corbaloc::@h/K", TextProblem::Address, 10);
  expect_error("corbaloc::1.@h/K", TextProblem::Address, 10);
}
TEST(Corbaloc, RefusesBadHosts) {
  expect_error("corbaloc::a b/K", TextProblem::Address, 11);
  expect_error("corbaloc::a\nb/K", TextProblem::Address, 11);
  expect_error("corbaloc::" + std::string(256, 'h') + "/K", TextProblem::Address, 265);
}
TEST(Corbaloc, RefusesMissingAddresses) {
  expect_error("corbaloc:", TextProblem::Address, 9);
  expect_error("corbaloc:/K", TextProblem::Address, 9);
  expect_error("corbaloc::h,/K", TextProblem::Address, 12);
  expect_error("corbaloc:,:h/K", TextProblem::Address, 9);
  expect_error("corbaloc:host/K", TextProblem::Address, 9);
}
TEST(Corbaloc, PassesOverUnknownProtocolsBesideAKnownOne) {
  const auto p = profiles_of("corbaloc:atm:x:y,:h/K");
  ASSERT_EQ(p.size(), 1u);
  EXPECT_EQ(p[0].address.host, "h");
}
TEST(Corbaloc, RefusesUnknownProtocolsAlone) {
  expect_error("corbaloc:atm:x/K", TextProblem::Address, 9);
  expect_error("corbaloc:atm:x,dce:y/K", TextProblem::Address, 9);
}
TEST(Corbaloc, RirNamesAnInitialReference) {
  EXPECT_EQ(name_of("corbaloc:rir:/TradingService"), "TradingService");
  EXPECT_EQ(name_of("corbaloc:rir:/"), "NameService");
  EXPECT_EQ(name_of("corbaloc:rir:"), "NameService");
}
TEST(Corbaloc, RirStandsAloneAndTakesNoAddress) {
  expect_error("corbaloc:rir:,:h/K", TextProblem::Address, 9);
  expect_error("corbaloc::h,rir:/K", TextProblem::Address, 12);
  expect_error("corbaloc:rir:host/K", TextProblem::Address, 13);
  expect_error("corbaloc:rir:/a%00b", TextProblem::SpecificPart, 14);
}
TEST(Corbaloc, HoldsToTheLimitsOfAddressesAndKeys) {
  std::string list = "corbaloc::h";
  for (int i = 1; i < 64; ++i) list += ",:h";
  EXPECT_EQ(profiles_of(list + "/K").size(), 64u);
  expect_error(list + ",:h/K", TextProblem::Address, list.size() + 1);
  const std::string longest = "corbaloc::h/" + std::string(Limits{}.max_context_bytes, 'k');
  EXPECT_EQ(profiles_of(longest)[0].object_key.size(), Limits{}.max_context_bytes);
  expect_error(longest + "k", TextProblem::SpecificPart, longest.size());
}

TEST(EscapeKey, RoundTripsEveryOctet) {
  Bytes all;
  for (int i = 0; i < 256; ++i) all.push_back(static_cast<Byte>(i));
  EXPECT_EQ(profiles_of("corbaloc::h/" + escape_key(all))[0].object_key, all);
  EXPECT_EQ(escape_key(key("a b%")), "a%20b%25");
}

TEST(ParseReference, AnyMutationGivesAValueOrAnError) {
  std::mt19937 random(7);
  const std::string seeds[] = {to_text(bank_account()),
                               "corbaloc::host:1,iiop:1.1@[::1]:5/key%20str",
                               "corbaloc:rir:/Name",
                               "corbaloc:uiop:1.2@/run/s%2c,:h|key",
                               "corbaname::h:9/Root#a.b/c%5c.d",
                               "corbaname:rir:#x"};
  std::size_t values = 0, errors = 0;
  for (int i = 0; i < 60000; ++i) {
    std::string s = seeds[random() % 6];
    for (unsigned n = random() % 4; n != 0; --n) {
      const std::size_t at = random() % s.size();
      switch (random() % 3) {
        case 0: s[at] = static_cast<char>(random()); break;
        case 1: s.insert(at, 1, ":/,%@[].0|#"[random() % 11]); break;
        default: s.erase(at, 1);
      }
    }
    const ParsedReference r = parse_reference(s);
    if (const TextError* e = std::get_if<TextError>(&r)) {
      ++errors;
      ASSERT_LE(e->offset, s.size());
    } else {
      ++values;
    }
  }
  EXPECT_GT(values, 1000u);
  EXPECT_GT(errors, 1000u);
}

}  // namespace
}  // namespace callis::ior
