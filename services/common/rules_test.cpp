// SPDX-License-Identifier: Apache-2.0
// Tests of the text of --allow. program_test.cpp shows the rules with requests.
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

TEST(Rules, SayWhatIsWrongWithThem) {
  Rules rules;
  EXPECT_EQ(rules.add("admins=any"), "'admins' is none of read, write, admin");
  EXPECT_EQ(rules.add("admin=everybody"), "'everybody' is none of any, local, own, unix:USER");
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
