// SPDX-License-Identifier: Apache-2.0
// Sentences of minor codes, members of user exceptions, and calls on nil.
#include <callis/classic/explanations.h>
#include <callis/classic/reference.h>
#include <callis/classic/string.h>
#include <gtest/gtest.h>

namespace {

using namespace callis::classic;
using namespace callis::marshal;

TEST(MinorCodes, HaveTheirSentencesInWhatWhereThereIsNoText) {
  EXPECT_STREQ(CORBA::BAD_INV_ORDER(CORBA::OMGVMCID | 4, CORBA::COMPLETED_NO).what(),
               "CORBA::BAD_INV_ORDER minor 0x4f4d0004 COMPLETED_NO: the ORB has been shut down");
  EXPECT_STREQ(CORBA::OBJECT_NOT_EXIST(0x434140a0, CORBA::COMPLETED_NO).what(),
               "CORBA::OBJECT_NOT_EXIST minor 0x434140a0 COMPLETED_NO: the adapter is there, and the object is not "
               "active in it");
  EXPECT_STREQ(CORBA::TRANSIENT(CORBA::OMGVMCID | 1, CORBA::COMPLETED_NO, "try later").what(),
               "CORBA::TRANSIENT minor 0x4f4d0001 COMPLETED_NO: try later");
}

TEST(MinorCodes, OfTheOmgBelongToTheirExceptions) {
  EXPECT_NE(minor_sentence("BAD_PARAM", CORBA::OMGVMCID | 1), minor_sentence("TRANSIENT", CORBA::OMGVMCID | 1));
  EXPECT_EQ(minor_sentence("NO_MEMORY", CORBA::OMGVMCID | 1), "");
}

TEST(MinorCodes, OfOthersSayWhoseTheyAre) {
  EXPECT_EQ(minor_sentence("TRANSIENT", 0x41540002), "a minor code of omniORB's own");
  EXPECT_EQ(minor_sentence("TRANSIENT", 0x54410085), "a minor code of TAO's own");
  EXPECT_EQ(minor_sentence("TRANSIENT", 5), "");
}

// A class for each test: what its exceptions hold stays known.
template <int kTest>
class Overdrawn final : public CORBA::UserException {
 public:
  CORBA::String_member account;
  CORBA::Long by = 0;
  [[noreturn]] void _raise() const override { throw *this; }
  const char* _name() const noexcept override { return "Overdrawn"; }
  const char* _rep_id() const noexcept override { return "IDL:Overdrawn:1.0"; }
  CORBA::Exception* _duplicate() const override { return new Overdrawn(*this); }
};
class Closed final : public CORBA::UserException {
 public:
  [[noreturn]] void _raise() const override { throw *this; }
  const char* _name() const noexcept override { return "Closed"; }
  const char* _rep_id() const noexcept override { return "IDL:Closed:1.0"; }
  CORBA::Exception* _duplicate() const override { return new Closed(*this); }
};

constexpr Word kWords[] = {type_word(Kind::Exception, 2), 0, type_word(Kind::String), type_word(Kind::Long),
                           type_word(Kind::Exception, 0), 0};
const Unit kUnit = {kWords, "", nullptr, nullptr};

TEST(UserExceptions, HaveTheirMembersInWhatOnceTheyAreKnown) {
  Overdrawn<1> e;
  e.account = CORBA::string_dup("savings");
  e.by = 250;
  EXPECT_STREQ(e.what(), "IDL:Overdrawn:1.0");
  note_members(e, kUnit, 0);
  EXPECT_STREQ(e.what(), "IDL:Overdrawn:1.0 {\"savings\", 250}");
  const CORBA::Exception& general = e;
  EXPECT_STREQ(general.what(), "IDL:Overdrawn:1.0 {\"savings\", 250}");
}

TEST(UserExceptions, WithLongMembersAreCut) {
  Overdrawn<2> e;
  e.account = CORBA::string_dup(std::string(5000, 'x').c_str());
  note_members(e, kUnit, 0);
  const std::string what = e.what();
  EXPECT_LT(what.size(), 1100u);
  EXPECT_TRUE(what.ends_with("..."));
}

TEST(UserExceptions, WithoutMembersHaveTheirIdsAlone) {
  const Closed e;
  note_members(e, kUnit, 4);
  EXPECT_STREQ(e.what(), "IDL:Closed:1.0");
}

TEST(UserExceptions, TextsOfTwoMayBeAskedForInOneStatement) {
  Overdrawn<3> a, b;
  a.by = 1;
  b.by = 2;
  note_members(a, kUnit, 0);
  EXPECT_NE(std::string(a.what()) + b.what(), std::string(a.what()) + a.what());
  const char* const first = a.what();
  const std::string kept = first;
  EXPECT_STRNE(b.what(), first);
  EXPECT_EQ(first, kept);
}

struct Seven {
  int f() { return 7; }
};
[[maybe_unused]] Seven* callis_duplicate(Seven* t) { return t; }
void callis_release(Seven*) {}

TEST(NilVars, RaiseInvObjrefWhenTheyAreCalled) {
  ReferenceVar<Seven> nil;
  try {
    nil->f();
    FAIL();
  } catch (const CORBA::INV_OBJREF& e) {
    EXPECT_EQ(e.minor(), 0x43414089u);
    EXPECT_EQ(e.completed(), CORBA::COMPLETED_NO);
  }
  ReferenceOut<Seven> out(nil);
  EXPECT_THROW(out->f(), CORBA::INV_OBJREF);
  Seven* slot = nullptr;
  EXPECT_THROW(ReferenceElement<Seven>(slot, false)->f(), CORBA::INV_OBJREF);
  Seven thing;
  nil = &thing;
  EXPECT_EQ(nil->f(), 7);
}

}  // namespace
