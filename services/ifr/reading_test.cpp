// SPDX-License-Identifier: Apache-2.0
// A repository as IDL: fed to another one it makes the same definitions.
#include <services/ifr/reading.h>
#include <services/ifr/testing/serving.h>

namespace callis::ifr::testing {
namespace {

std::string read_all(Serving& from) {
  Reading reading(from.repository.in());
  reading.all(from.repository.in());
  return reading.text();
}

TEST(Reading, GivesIdlThatSaysTheSame) {
  Serving first;
  first.feed(all_kinds());
  const std::string text = read_all(first);
  Fixture again;
  ASSERT_EQ(again.feed(text), "") << text;
  std::size_t compared = 0;
  for (const auto& [number, d] : first.service->model().all()) {
    if (number < kFirstCreated || !is_contained(d.kind) || d.kind == Kind::Module) continue;
    const Number other = again.model.by_id(d.id);
    // Ids of operations, attributes and members follow from the file, which has no prefix here.
    if (d.kind == Kind::Operation || d.kind == Kind::Attribute || d.kind == Kind::ValueMember) continue;
    ASSERT_NE(other, kNone) << d.id << "\n" << text;
    const Definition& o = again.model.at(other);
    EXPECT_EQ(o.kind, d.kind) << d.id;
    EXPECT_EQ(again.model.absolute_name(o), first.service->model().absolute_name(d));
    EXPECT_EQ(o.contents.size(), d.contents.size()) << d.id;
    EXPECT_EQ(o.bases.size(), d.bases.size()) << d.id;
    EXPECT_EQ(o.words, d.words) << d.id;
    if (is_type(d.kind) || d.kind == Kind::Exception) {
      const CORBA::TypeCode_var a = first.service->type_codes().of(number), b = again.type_codes.of(other);
      EXPECT_TRUE(a->equal(b.in())) << d.id;
    }
    if (d.kind == Kind::Constant) {
      EXPECT_EQ(o.value, d.value) << d.id;
    }
    ++compared;
  }
  EXPECT_GT(compared, 40u);
}

TEST(Reading, TakesWhatOneInterfaceNeedsAndNoMore) {
  Serving s;
  s.feed(
      "module A { struct S { long a; }; struct Unused { long a; }; interface J { void f(); };\n"
      "interface I { S get(in J other); }; };");
  Reading reading(s.repository.in());
  reading.add("IDL:A/I:1.0");
  EXPECT_NE(reading.text().find("struct S"), std::string::npos);
  EXPECT_NE(reading.text().find("interface J;"), std::string::npos);
  EXPECT_EQ(reading.text().find("Unused"), std::string::npos);
  EXPECT_EQ(reading.text().find("void f"), std::string::npos);
}

TEST(Reading, FindsByNameAndId) {
  Serving s;
  s.feed("module A { interface I {}; };");
  Reading reading(s.repository.in());
  for (const char* name : {"A::I", "::A::I", "IDL:A/I:1.0"})
    EXPECT_TRUE(CORBA::Contained_var(reading.find(name)).in()) << name;
  EXPECT_FALSE(CORBA::Contained_var(reading.find("A::J")).in());
}

TEST(Reading, TypesThatHoldSequencesOfEachOtherCompile) {
  Serving s;
  s.feed("struct B; typedef sequence<B> Bs; struct A { Bs all; }; struct B { sequence<A> more; };");
  Fixture again;
  const std::string text = read_all(s);
  EXPECT_EQ(again.feed(text), "") << text;
}

TEST(Reading, EndsWhenARepositoryTakesTooLong) {
  Serving s;
  s.feed("interface I { void f(); };");
  Reading reading(s.repository.in(), std::chrono::milliseconds(-1));
  try {
    reading.add("IDL:I:1.0");
    FAIL() << "it was read";
  } catch (const Unreadable& u) {
    EXPECT_EQ(u.why, "the repository needs more than -1 ms to describe it");
  }
}

TEST(Reading, SaysWhatIsAModule) {
  Serving s;
  s.feed("module A { interface I {}; };");
  Reading reading(s.repository.in());
  try {
    reading.add("IDL:A:1.0");
    FAIL() << "it was read";
  } catch (const Unreadable& u) {
    EXPECT_EQ(u.why, "IDL:A:1.0 is a module, where a declaration is needed");
  }
}

TEST(Reading, DoesNotBelieveNames) {
  EXPECT_EQ(identifier("interface"), "_interface");
  EXPECT_EQ(identifier("Interfaces"), "Interfaces");
  for (const char* name : {"", "a b", "a;", "a\n#include", "\xff", "1"}) EXPECT_THROW(identifier(name), Unreadable);
  for (const char* id : {"", "IDL", "IDL:x\"y:1.0", "IDL:a\nb:1.0"}) EXPECT_THROW(quoted_id(id), Unreadable);
}

}  // namespace
}  // namespace callis::ifr::testing
