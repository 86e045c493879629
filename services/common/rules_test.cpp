// SPDX-License-Identifier: Apache-2.0
// Tests of the text of --allow. program_test.cpp shows the rules with requests.
#include <callis/transport/certificate.h>
#include <gtest/gtest.h>
#include <services/common/rules.h>
#include <unistd.h>

namespace callis::services {
namespace {

TEST(Rules, LetAnybodyReadAndWriteUnlessToldOtherwise) {
  const Rules rules;
  EXPECT_TRUE(rules.callers(Group::Read).any);
  EXPECT_TRUE(rules.callers(Group::Write).any);
  EXPECT_FALSE(rules.callers(Group::Admin).any);
}

TEST(Rules, ReplaceWhatIsUsualOfAGroupByTheFirstWordOnIt) {
  Rules rules(Callers{.local = true, .users = {}});
  EXPECT_EQ(rules.add("admin=unix:0,unix:4711,write=local"), "");
  EXPECT_FALSE(rules.callers(Group::Admin).local);
  EXPECT_EQ(rules.callers(Group::Admin).users, (std::vector<std::uint32_t>{0, 4711}));
  EXPECT_FALSE(rules.callers(Group::Write).any);
  EXPECT_TRUE(rules.callers(Group::Write).local);
  EXPECT_TRUE(rules.callers(Group::Read).any);
  EXPECT_EQ(rules.add("admin=local"), "");  // a second option adds
  EXPECT_TRUE(rules.callers(Group::Admin).local);
  EXPECT_EQ(rules.callers(Group::Admin).users.size(), 2u);
}

TEST(Rules, KnowUsersByName) {
  Rules rules;
  EXPECT_EQ(rules.add("admin=unix:root"), "");
  EXPECT_EQ(rules.callers(Group::Admin).users, std::vector<std::uint32_t>{0});
  EXPECT_EQ(rules.add("admin=unix:nobody-has-this-name"), "there is no user 'nobody-has-this-name' here");
}

TEST(Rules, KnowCertificates) {
  Rules rules;
  const std::string digest(64, 'A');
  ASSERT_EQ(rules.add("admin=cert:CN=ops,unix:0,cert:key=" + digest + ",write=cert:*.plant.example,cert:*"), "");
  EXPECT_EQ(rules.callers(Group::Admin).certificates,
            (std::vector<std::string>{"CN=ops", "key=" + std::string(64, 'a')}));
  EXPECT_EQ(rules.callers(Group::Admin).users, std::vector<std::uint32_t>{0});
  EXPECT_EQ(rules.callers(Group::Write).certificates, (std::vector<std::string>{"*.plant.example", "*"}));
  EXPECT_EQ(rules.callers(Group::Admin).text(),
            "root and the service's own user, user 0 over a Unix-domain socket, and over TLS certificates CN=ops, "
            "key=" +
                std::string(64, 'a'));
}

TEST(Rules, MeanCertificatesByNamesAndDigests) {
  transport::Certificate c;
  c.subject = "CN=ops,O=Plant";
  c.common_name = "ops";
  c.names = {"dns:Pump.plant.example", "ip:10.1.2.3", "uri:spiffe://site/ops", "email:ops@plant.example"};
  c.fingerprint = std::string(64, 'f');
  c.key = std::string(64, 'e');
  for (const char* which : {"*", "CN=ops", "pump.plant.example", "*.plant.example", "10.1.2.3", "ip:10.1.2.3",
                            "uri:spiffe://site/ops", "email:ops@plant.example"})
    EXPECT_TRUE(is_meant(which, c)) << which;
  EXPECT_TRUE(is_meant("sha256=" + c.fingerprint, c));
  EXPECT_TRUE(is_meant("key=" + c.key, c));
  for (const char* which : {"CN=op", "CN=ops,O=Plant", "ops", "plant.example", "*.example", "10.1.2.4",
                            "spiffe://site/ops", "CN="})
    EXPECT_FALSE(is_meant(which, c)) << which;
  EXPECT_FALSE(is_meant("key=" + c.fingerprint, c));
  c.names = {"dns:.plant.example"};
  EXPECT_FALSE(is_meant("*.plant.example", c)) << "the star is for a label, and not for none";
  c.names = {"dns:a.b.plant.example"};
  EXPECT_FALSE(is_meant("*.plant.example", c)) << "the star is for one label";
}

TEST(Rules, SayWhatIsWrongWithCertificates) {
  Rules rules;
  EXPECT_EQ(rules.add("admin=cert:"), "cert: wants *, CN=NAME, a name, key=HEX or sha256=HEX");
  EXPECT_EQ(rules.add("admin=cert:key=12"), "'key=12' wants a SHA-256 of 64 hexadecimal digits");
  EXPECT_EQ(rules.add("admin=cert:a.*.example"),
            "'a.*.example': a star is for the first label of a name, as *.plant.example");
  EXPECT_EQ(rules.add("admin=cert:*x"), "'*x': a star is for the first label of a name, as *.plant.example");
}

TEST(Rules, SayWhatIsWrongWithThem) {
  Rules rules;
  EXPECT_EQ(rules.add("admins=any"), "'admins' is none of read, write, admin");
  EXPECT_EQ(rules.add("admin=everybody"), "'everybody' is none of any, local, own, unix:USER, cert:WHICH");
  EXPECT_EQ(rules.add("any"), "it begins with read=, write= or admin=");
  EXPECT_EQ(rules.add(""), "it begins with read=, write= or admin=");
}

TEST(Rules, AreOneLineForPeople) {
  Rules rules;
  ASSERT_EQ(rules.add("admin=own,write=local"), "");
  EXPECT_EQ(rules.sentence(),
            "read: anybody who can connect; write: users of this machine over a Unix-domain socket; "
            "admin: root and the service's own user over a Unix-domain socket");
}

// Outside of requests the process itself is the caller: it has no rights by that.
TEST(Rules, TakeTheProcessItselfForNobody) {
  const Rules rules(Callers{.local = true, .users = {}});
  EXPECT_FALSE(rules.allows(Group::Admin, Caller::current()));
  EXPECT_TRUE(rules.allows(Group::Read, Caller::current()));
}

TEST(Rules, BindNobodyInAProcessWithoutThem) {
  Rules::require(Group::Admin, "this");
  EXPECT_TRUE(Rules::open_to_all(Group::Admin));
  EXPECT_FALSE(Rules::refuses(Group::Admin, "this", Caller::of(nullptr)));
}

}  // namespace
}  // namespace callis::services
