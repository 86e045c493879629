// SPDX-License-Identifier: Apache-2.0
// CORBA::Context (CORBA 3.3 part 1, 8.6), NVList, and the strings that contexts are on the wire.
#include <callis/corba.h>
#include <callis/orb/base/minor_codes.h>
#include <gtest/gtest.h>

namespace {

using namespace callis::orb;
using CORBA::Context_ptr;
using CORBA::Context_var;

using Pairs = std::vector<std::string>;  // "name=value"

CORBA::Any any(const char* s) {
  CORBA::Any a;
  a <<= s;
  return a;
}

Pairs pairs(CORBA::NVList_ptr list) {
  Pairs p;
  for (CORBA::ULong i = 0; i < list->count(); ++i) {
    const char* s = nullptr;
    EXPECT_TRUE(*list->item(i)->value() >>= s);
    EXPECT_EQ(list->item(i)->flags(), 0u);
    p.push_back(std::string(list->item(i)->name()) + '=' + (s ? s : "?"));
  }
  return p;
}

Pairs pairs(const callis::classic::StringSequence<>& strings) {
  Pairs p;
  for (CORBA::ULong i = 0; i + 1 < strings.length(); i += 2)
    p.push_back(std::string(strings[i]) + '=' + std::string(strings[i + 1]));
  EXPECT_EQ(p.size() * 2, strings.length());
  return p;
}

callis::classic::StringSequence<> strings(std::initializer_list<const char*> list) {
  callis::classic::StringSequence<> s;
  s.length(static_cast<CORBA::ULong>(list.size()));
  CORBA::ULong i = 0;
  for (const char* text : list) s[i++] = text;
  return s;
}

// The minor code with which f() throws an E; 0xffff when it does not.
template <class E, class F>
CORBA::ULong thrown(F f) {
  try {
    f();
  } catch (const E& e) {
    EXPECT_EQ(e.completed(), CORBA::COMPLETED_NO);
    return e.minor();
  } catch (const CORBA::Exception& e) {
    ADD_FAILURE() << e.what();
  }
  return 0xffff;
}

class Contexts : public ::testing::Test {
 protected:
  Contexts() {
    root_ = CORBA::Context::_callis_create("root");
    root_->create_child("kid", kid_.out());
    kid_->create_child("grandkid", grandkid_.out());
    for (const char* name : {"a1", "a2", "user"}) root_->set_one_value(name, any("root"));
    kid_->set_one_value("a2", any("kid"));
    grandkid_->set_one_value("a3", any("grandkid"));
  }
  Pairs get(const char* scope, CORBA::Flags flags, const char* pattern) {
    CORBA::NVList_var list;
    grandkid_->get_values(scope, flags, pattern, list.out());
    return pairs(list.in());
  }
  Context_var root_, kid_, grandkid_;
};

TEST_F(Contexts, KnowTheirNamesAndParents) {
  EXPECT_STREQ(kid_->context_name(), "kid");
  EXPECT_EQ(grandkid_->parent(), kid_.in());
  EXPECT_TRUE(CORBA::is_nil(root_->parent()));
  Context_var nameless;
  root_->create_child(nullptr, nameless.out());
  EXPECT_STREQ(nameless->context_name(), "");
  EXPECT_EQ(thrown<CORBA::BAD_PARAM>([&] { root_->create_child("a*", nameless.out()); }), omg(37));
}

TEST_F(Contexts, LiveAsLongAsTheirChildren) {
  const Context_ptr kid = kid_.in();
  kid_ = CORBA::Context::_nil();
  root_ = CORBA::Context::_nil();
  EXPECT_EQ(grandkid_->parent(), kid);
  EXPECT_EQ(get("root", 0, "user"), Pairs{"user=root"});
}

TEST_F(Contexts, FindNearestPropertiesFirstAndGoOnToParents) {
  EXPECT_EQ(get("", 0, "a*"), (Pairs{"a1=root", "a2=kid", "a3=grandkid"}));
  EXPECT_EQ(get(nullptr, 0, "*"), (Pairs{"a1=root", "a2=kid", "a3=grandkid", "user=root"}));
  EXPECT_EQ(get("", 0, "user"), Pairs{"user=root"});
  EXPECT_EQ(get("kid", 0, "a*"), (Pairs{"a1=root", "a2=kid"}));
}

TEST_F(Contexts, StayInOneScopeWhenTold) {
  EXPECT_EQ(get("", CORBA::CTX_RESTRICT_SCOPE, "a*"), Pairs{"a3=grandkid"});
  EXPECT_EQ(get("kid", CORBA::CTX_RESTRICT_SCOPE, "a*"), Pairs{"a2=kid"});
  EXPECT_EQ(thrown<CORBA::BAD_CONTEXT>([&] { get("", CORBA::CTX_RESTRICT_SCOPE, "user"); }), omg(2));
}

TEST_F(Contexts, SayWhatTheyCannotFind) {
  EXPECT_EQ(thrown<CORBA::BAD_CONTEXT>([&] { get("nobody", 0, "a*"); }), omg(1));
  EXPECT_EQ(thrown<CORBA::BAD_CONTEXT>([&] { get("", 0, "b*"); }), omg(2));
  EXPECT_EQ(thrown<CORBA::BAD_CONTEXT>([&] { get("", 0, "a"); }), omg(2));
  EXPECT_EQ(thrown<CORBA::INV_FLAG>([&] { get("", 7, "a*"); }), 0u);
  for (const char* pattern : {"", "*a", "a*b", "a**", static_cast<const char*>(nullptr)})
    EXPECT_EQ(thrown<CORBA::BAD_PARAM>([&] { get("", 0, pattern); }), omg(36));
}

TEST_F(Contexts, RefuseNamesAndValuesOfAnotherKind) {
  for (const char* name : {"", "*", "a*", static_cast<const char*>(nullptr)})
    EXPECT_EQ(thrown<CORBA::BAD_PARAM>([&] { kid_->set_one_value(name, any("x")); }), omg(35));
  CORBA::Any number;
  number <<= CORBA::Long(1);
  EXPECT_EQ(thrown<CORBA::BAD_TYPECODE>([&] { kid_->set_one_value("a", number); }), omg(3));
  EXPECT_EQ(thrown<CORBA::BAD_TYPECODE>([&] { kid_->set_one_value("a", CORBA::Any()); }), omg(3));
  kid_->set_one_value("any name. at-all", any(""));
  EXPECT_EQ(get("", 0, "any *"), Pairs{"any name. at-all="});
}

TEST_F(Contexts, SetListsAsAWhole) {
  CORBA::NVList_var list(new CORBA::NVList);
  list->add_value("a3", any("new"), CORBA::ARG_IN);
  list->add_value("a4", any("newer"), 0);
  grandkid_->set_values(list.in());
  EXPECT_EQ(get("", CORBA::CTX_RESTRICT_SCOPE, "*"), (Pairs{"a3=new", "a4=newer"}));

  list->add_value("a3", any("newest"), 0);
  list->add_item("no value", 0);
  EXPECT_EQ(thrown<CORBA::BAD_TYPECODE>([&] { grandkid_->set_values(list.in()); }), omg(3));
  EXPECT_EQ(get("", CORBA::CTX_RESTRICT_SCOPE, "*"), (Pairs{"a3=new", "a4=newer"}));
  EXPECT_EQ(thrown<CORBA::BAD_PARAM>([&] { grandkid_->set_values(CORBA::NVList::_nil()); }), 0u);
}

TEST_F(Contexts, DeleteTheirOwnPropertiesOnly) {
  root_->delete_values("a*");
  EXPECT_EQ(get("", 0, "*"), (Pairs{"a2=kid", "a3=grandkid", "user=root"}));
  EXPECT_EQ(thrown<CORBA::BAD_CONTEXT>([&] { grandkid_->delete_values("user"); }), omg(2));
  grandkid_->delete_values("a3");
  EXPECT_EQ(thrown<CORBA::BAD_CONTEXT>([&] { grandkid_->delete_values("a3"); }), omg(2));
  EXPECT_EQ(thrown<CORBA::BAD_PARAM>([&] { grandkid_->delete_values(""); }), omg(36));
}

TEST_F(Contexts, AreSentAsWhatTheClauseMatches) {
  EXPECT_EQ(pairs(sent_context(grandkid_.in(), {"a2", "a*", "none*"})), (Pairs{"a1=root", "a2=kid", "a3=grandkid"}));
  EXPECT_EQ(pairs(sent_context(root_.in(), {"user", "none"})), Pairs{"user=root"});
  EXPECT_EQ(sent_context(root_.in(), {"none"}).length(), 0u);
  EXPECT_EQ(sent_context(nullptr, {"a*"}).length(), 0u);
}

TEST_F(Contexts, AreMadeOfWhatWasReceived) {
  const Context_var c(received_context(strings({"b", "1", "a", "2", "b", "3", "", "x", "odd*", "y"})));
  EXPECT_STREQ(c->context_name(), "");
  EXPECT_TRUE(CORBA::is_nil(c->parent()));
  CORBA::NVList_var list;
  c->get_values("", 0, "*", list.out());
  EXPECT_EQ(pairs(list.in()), (Pairs{"=x", "a=2", "b=3", "odd*=y"}));
  const Context_var none(received_context({}));
  EXPECT_EQ(thrown<CORBA::BAD_CONTEXT>([&] { none->get_values("", 0, "*", list.out()); }), omg(2));
}

TEST_F(Contexts, OfANameWithoutAValueAreRefused) {
  EXPECT_EQ(thrown<CORBA::MARSHAL>([] { received_context(strings({"a"})); }), own(callis::Fault::BadValue));
  EXPECT_EQ(thrown<CORBA::MARSHAL>([] { received_context(strings({"a", "1", "b"})); }), own(callis::Fault::BadValue));
}

TEST_F(Contexts, HoldAsManyReceivedPropertiesAsThereIsALimitFor) {
  callis::classic::StringSequence<> many;
  many.length(2 * kMostReceivedProperties);
  for (CORBA::ULong i = 0; i < many.length(); ++i) many[i] = std::to_string(i).c_str();
  const Context_var c(received_context(many));
  CORBA::NVList_var list;
  c->get_values("", 0, "*", list.out());
  EXPECT_EQ(list->count(), kMostReceivedProperties);
  many.length(2 * kMostReceivedProperties + 2);
  EXPECT_EQ(thrown<CORBA::IMP_LIMIT>([&] { received_context(many); }), own(callis::Fault::LimitExceeded));
}

TEST(DefaultContext, IsOneInAProcess) {
  int argc = 0;
  const CORBA::ORB_var orb = CORBA::ORB_init(argc, nullptr, "default context");
  Context_var a, b;
  orb->get_default_context(a.out());
  orb->get_default_context(b.out());
  EXPECT_EQ(a.in(), b.in());
  EXPECT_STREQ(a->context_name(), "default");
  orb->destroy();
}

TEST(NVLists, HoldNamedValuesByIndex) {
  int argc = 0;
  const CORBA::ORB_var orb = CORBA::ORB_init(argc, nullptr, "lists");
  CORBA::NVList_var list;
  orb->create_list(3, list.out());
  EXPECT_EQ(list->count(), 0u);
  EXPECT_THROW(list->item(0), CORBA::Bounds);
  EXPECT_STREQ(list->add(CORBA::ARG_OUT)->name(), "");
  list->add_item_consume(CORBA::string_dup("one"), CORBA::ARG_IN);
  list->add_value_consume(CORBA::string_dup("two"), new CORBA::Any(any("2")), CORBA::ARG_INOUT);
  ASSERT_EQ(list->count(), 3u);
  EXPECT_EQ(list->item(0)->flags(), CORBA::ARG_OUT);
  EXPECT_STREQ(list->item(1)->name(), "one");
  const CORBA::NamedValue_var two(CORBA::NamedValue::_duplicate(list->item(2)));
  list->remove(2);
  EXPECT_THROW(list->item(2), CORBA::Bounds);
  EXPECT_THROW(list->remove(2), CORBA::Bounds);
  const char* s = nullptr;
  EXPECT_TRUE(*two->value() >>= s);
  EXPECT_STREQ(s, "2");
  CORBA::NamedValue_var fresh;
  orb->create_named_value(fresh.out());
  EXPECT_EQ(fresh->flags(), 0u);
  orb->destroy();
}

}  // namespace
