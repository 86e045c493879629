// SPDX-License-Identifier: Apache-2.0
// IDL files as definitions, and what their TypeCodes are.
#include <services/ifr/testing/files.h>
#include "all_kinds.h"

namespace callis::ifr::testing {
namespace {

TEST(Feeding, GivesTheTypeCodesOfTheFile) {
  Fixture f;
  Fed fed;
  ASSERT_EQ(f.feed(all_kinds(), nullptr, &fed), "");
  EXPECT_EQ(fed.known, 0u);
  EXPECT_GT(fed.added, 60u);
  const std::pair<const char*, CORBA::TypeCode_ptr> all[] = {{"Color", Kinds::_tc_Color},
                                                             {"Code", Kinds::_tc_Code},
                                                             {"Codes", Kinds::_tc_Codes},
                                                             {"Matrix", Kinds::_tc_Matrix},
                                                             {"Money", Kinds::_tc_Money},
                                                             {"Tag", Kinds::_tc_Tag},
                                                             {"Point", Kinds::_tc_Point},
                                                             {"Node", Kinds::_tc_Node},
                                                             {"Choice", Kinds::_tc_Choice},
                                                             {"Sized", Kinds::_tc_Sized},
                                                             {"Outer", Kinds::_tc_Outer},
                                                             {"Broke", Kinds::_tc_Broke},
                                                             {"Empty", Kinds::_tc_Empty},
                                                             {"Late", Kinds::_tc_Late},
                                                             {"Described", Kinds::_tc_Described},
                                                             {"Base", Kinds::_tc_Base},
                                                             {"Base::Points", Kinds::Base::_tc_Points},
                                                             {"Trees", Kinds::_tc_Trees},
                                                             {"Base::Full", Kinds::Base::_tc_Full},
                                                             {"Label", Kinds::_tc_Label},
                                                             {"Labels", Kinds::_tc_Labels},
                                                             {"Sortable", Kinds::_tc_Sortable},
                                                             {"Thing", Kinds::_tc_Thing},
                                                             {"Special", Kinds::_tc_Special},
                                                             {"Odd", Kinds::_tc_Odd},
                                                             {"Inner::Last", Kinds::Inner::_tc_Last},
                                                             {"Inner::Keyword", Kinds::Inner::_tc_Keyword}};
  for (const auto& [name, expected] : all) {
    const CORBA::TypeCode_var got = f.type_codes.of(f.named(std::string("Kinds::") + name).number);
    EXPECT_TRUE(got->equal(expected)) << name;
  }
}

TEST(Feeding, TheSameAgainIsKnown) {
  Fixture f;
  Fed first, second;
  ASSERT_EQ(f.feed(all_kinds(), nullptr, &first), "");
  const std::size_t size = f.model.size();
  ASSERT_EQ(f.feed(all_kinds(), nullptr, &second), "");
  EXPECT_EQ(second.added, 0u);
  EXPECT_EQ(second.known, first.added);
  EXPECT_EQ(f.model.size(), size);
}

TEST(Feeding, ModulesGrowAndForwardDeclarationsAreFilled) {
  Fixture f;
  ASSERT_EQ(f.feed("module M { interface I; struct S { I one; }; };"), "");
  EXPECT_TRUE(f.named("M::I").contents.empty());
  ASSERT_EQ(f.feed("module M { interface I { void run(); }; interface J : I {}; };"), "");
  EXPECT_EQ(f.named("M::I").contents.size(), 1u);
  ASSERT_EQ(f.feed("module M { interface I; typedef sequence<I> Is; };"), "");
  EXPECT_EQ(f.named("M::I").contents.size(), 1u) << "the definition counts, not the declaration";
}

TEST(Feeding, WhatSaysSomethingElseIsInTheWay) {
  Fixture f;
  ASSERT_EQ(f.feed("module M { struct S { long a; }; interface I { void run(); }; const long kX = 1; };"), "");
  const std::size_t size = f.model.size();
  EXPECT_NE(f.feed("module M { struct T { long b; }; struct S { short a; }; };").find("M::S is in the repository"),
            std::string::npos);
  EXPECT_NE(f.feed("module M { interface I { void run(); void stop(); }; };").find("M::I"), std::string::npos);
  EXPECT_NE(f.feed("module M { interface I {}; interface K { void f(); }; interface L : K {}; };").find("M::I"),
            std::string::npos);
  EXPECT_NE(f.feed("module M { const long kX = 2; };").find("M::kX"), std::string::npos);
  EXPECT_NE(f.feed("module M { interface S {}; };").find("M::S"), std::string::npos);
  EXPECT_EQ(f.model.size(), size) << "nothing of a file that is not taken";
}

TEST(Feeding, FaultyFilesAreExplainedAndNothingIsIncluded) {
  Fixture f;
  EXPECT_NE(f.feed("interface I { voi run(); };").find("test.idl:1"), std::string::npos);
  EXPECT_NE(f.feed("#include \"/etc/passwd\"\n").find("/etc/passwd"), std::string::npos);
  EXPECT_NE(f.feed("component C {};").find("component"), std::string::npos);
  EXPECT_NE(f.feed(std::string("\0\xff\xfe", 3)), "");
  EXPECT_EQ(f.feed(""), "");
}

TEST(Feeding, ConstantsHaveTheirValues) {
  Fixture f;
  ASSERT_EQ(f.feed(all_kinds()), "");
  const auto value = [&](const char* name) {
    CORBA::Any any;
    EXPECT_TRUE(any_from_bytes(f.named(name).value, any)) << name;
    return any;
  };
  CORBA::Short s = 0;
  EXPECT_TRUE(value("Kinds::kShort") >>= s);
  EXPECT_EQ(s, -7);
  CORBA::ULongLong large = 0;
  EXPECT_TRUE(value("Kinds::kLarge") >>= large);
  EXPECT_EQ(large, 18446744073709551615ull);
  const CORBA::Any text_any = value("Kinds::kText");
  const char* text = nullptr;
  EXPECT_TRUE(text_any >>= text);
  EXPECT_STREQ(text, "a \"quoted\" text");
  CORBA::WChar wide = 0;
  EXPECT_TRUE(value("Kinds::kWide") >>= CORBA::Any::to_wchar(wide));
  EXPECT_EQ(wide, 0x20ac);
}

TEST(Feeding, WhatTheCompilerKnowsByItselfComesWhenItIsNeeded) {
  Fixture f;
  ASSERT_EQ(f.feed("#include <orb.idl>\ninterface Plain {};"), "");
  EXPECT_EQ(f.model.by_id("IDL:omg.org/CORBA/Policy:1.0"), kNone);
  ASSERT_EQ(f.feed("#include <orb.idl>\ninterface User { CORBA::PolicyList all(); };"), "");
  EXPECT_NE(f.model.by_id("IDL:omg.org/CORBA/Policy:1.0"), kNone);
}

// Through an overlay, as servants do.
std::string feed_beside(Fixture& f, const std::string& idl,
                        std::chrono::milliseconds limit = std::chrono::seconds(60)) {
  services::OperationTime time(limit);
  Model overlay(f.model, time);
  TypeCodes types(overlay);
  try {
    const idl::driver::Compilation file = compile_text("test.idl", idl);
    (void)feed(overlay, types, *file.unit);
    f.model.prepare(overlay, nullptr);
  } catch (const NotTaken& n) {
    return n.why;
  } catch (const CORBA::SystemException& e) {
    return e._name();
  }
  while (!f.model.adopt(overlay)) {}
  return {};
}

TEST(FeedingBesideReaders, comes_to_the_same_as_within_a_change) {
  const std::string first = "module A { interface I; struct S { sequence<I> all; }; };";
  const std::string second =
      "module A { interface I; struct S { sequence<I> all; }; interface I { void f(in S what); };"
      " module B { const long C = 7; }; };";
  Fixture plain, beside;
  for (const std::string& idl : {first, second, second}) {
    ASSERT_EQ(plain.feed(idl), "");
    ASSERT_EQ(feed_beside(beside, idl), "");
  }
  EXPECT_EQ(plain.model.size(), beside.model.size());
  EXPECT_EQ(plain.model.bytes(), beside.model.bytes());
  for (const auto& [number, d] : plain.model.all()) {
    const Definition* const other = beside.model.find(number);
    ASSERT_TRUE(other) << d.id;
    EXPECT_TRUE(d.says_the_same(*other)) << d.id;
    EXPECT_EQ(d.contents, other->contents) << d.id;
    EXPECT_EQ(plain.model.by_id(d.id), beside.model.by_id(d.id)) << d.id;
  }
  EXPECT_NE(feed_beside(beside, "module A { struct S { long other; }; };"), "") << "says something else";
}

TEST(FeedingBesideReaders, leaves_all_as_it_was_until_it_is_adopted) {
  Fixture f;
  ASSERT_EQ(f.feed("module A { struct S { long a; }; };"), "");
  const std::size_t size = f.model.size();
  services::OperationTime time(std::chrono::seconds(60));
  Model overlay(f.model, time);
  TypeCodes types(overlay);
  const idl::driver::Compilation file =
      compile_text("x.idl", "module A { struct S { long a; }; struct T { S inner; }; };");
  (void)feed(overlay, types, *file.unit);
  EXPECT_EQ(f.model.size(), size);
  EXPECT_EQ(f.model.by_id("IDL:A/T:1.0"), kNone);
  EXPECT_EQ(f.model.at(f.model.by_id("IDL:A:1.0")).contents.size(), 1u);
  EXPECT_EQ(overlay.size(), size + 1);
}

TEST(FeedingBesideReaders, ends_where_it_takes_too_long) {
  Fixture f;
  std::string idl;
  for (int i = 0; i < 3'000; ++i) idl += "struct S" + std::to_string(i) + " { long a; };";
  EXPECT_EQ(feed_beside(f, idl, std::chrono::milliseconds(0)), "NO_RESOURCES");
  EXPECT_EQ(f.model.by_id("IDL:S1:1.0"), kNone);
}

}  // namespace
}  // namespace callis::ifr::testing
