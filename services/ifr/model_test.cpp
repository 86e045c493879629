// SPDX-License-Identifier: Apache-2.0
// What definitions may be, where they may stand, and that a change is whole or not at all (CORBA 3.0.3, 10.5).
#include <services/ifr/refuse.h>
#include <services/ifr/testing/files.h>

namespace callis::ifr::testing {
namespace {

Definition definition(Kind kind, const std::string& name, Number container = kRepository) {
  Definition d;
  d.kind = kind;
  d.container = container;
  d.id = "IDL:" + std::to_string(container) + "/" + name + ":1.0";
  d.name = name;
  d.version = "1.0";
  return d;
}

struct ModelTest : ::testing::Test, Fixture {
  static constexpr Number kLong = kFirstPrimitive + 3, kVoid = kFirstPrimitive + 1;

  Number make(Definition d) {
    Change change(model);
    const Number n = model.create(std::move(d));
    model.check(n);
    change.commit(nullptr);
    return n;
  }
  Number alias(const std::string& name, Number type) {
    Definition d = definition(Kind::Alias, name);
    d.type = type;
    return make(d);
  }
  Number structure(const std::string& name, const std::vector<Number>& types) {
    Definition d = definition(Kind::Struct, name);
    for (const Number t : types) d.members.push_back({"m" + std::to_string(d.members.size()), t, 0, {}});
    return make(d);
  }
  Number sequence(Number of) {
    Definition d;
    d.kind = Kind::Sequence;
    d.type = of;
    Change change(model);
    const Number n = model.anonymous(d);
    change.commit(nullptr);
    return n;
  }
  template<class F>
  std::string changed(Number n, F&& how) {
    return refusal([&] {
      Change change(model);
      how(model.edit(n));
      model.check(n);
      (void)type_codes.of(n);
      change.commit(nullptr);
    });
  }
};

TEST_F(ModelTest, NamesAreIdentifiersAndIdsAreRepositoryIds) {
  for (const char* name : {"", "1a", "a b", "a::b", "_a", "a\xff", "a\n"}) {
    Definition d = definition(Kind::Module, "m");
    d.name = name;
    EXPECT_EQ(refusal([&] { make(d); }), "BAD_PARAM 15") << name;
  }
  for (const char* id : {"", "IDL", ":x", "IDL:", "IDL:a b:1.0", "IDL:\x01:1.0"}) {
    Definition d = definition(Kind::Module, "m");
    d.id = id;
    EXPECT_EQ(refusal([&] { make(d); }), "BAD_PARAM 16") << id;
  }
  Definition d = definition(Kind::Module, std::string(2000, 'a'));
  EXPECT_EQ(refusal([&] { make(d); }), "IMP_LIMIT 0");
  EXPECT_EQ(model.at(kRepository).contents.size(), 0u);
}

TEST_F(ModelTest, AnIdStandsOnceAndANameOnceInItsContainer) {
  const Number m = make(definition(Kind::Module, "m"));
  Definition same_id = definition(Kind::Module, "other");
  same_id.id = model.at(m).id;
  EXPECT_EQ(refusal([&] { make(same_id); }), "BAD_PARAM 2");
  Definition same_name = definition(Kind::Module, "M");
  EXPECT_EQ(refusal([&] { make(same_name); }), "BAD_PARAM 3") << "without regard to case";
  make(definition(Kind::Module, "m", m));
}

TEST_F(ModelTest, ContainersTakeWhatIdlHasInThem) {
  const Number m = make(definition(Kind::Module, "m")), i = make(definition(Kind::Interface, "i"));
  EXPECT_EQ(refusal([&] { make(definition(Kind::Interface, "j", i)); }), "BAD_PARAM 4");
  EXPECT_EQ(refusal([&] { make(definition(Kind::Module, "j", i)); }), "BAD_PARAM 4");
  Definition o = definition(Kind::Operation, "o", m);
  o.type = kVoid;
  EXPECT_EQ(refusal([&] { make(o); }), "BAD_PARAM 4");
  const Number a = alias("a", kLong);
  EXPECT_EQ(refusal([&] { make(definition(Kind::Native, "n", a)); }), "BAD_PARAM 4");
}

TEST_F(ModelTest, ATypeMayContainItselfThroughSequencesOnly) {
  const Number s = structure("S", {kLong}), a = alias("A", s), seq = sequence(a);
  const std::vector<Member> direct{{"self", a, 0, {}}}, through{{"self", seq, 0, {}}};
  EXPECT_EQ(changed(s, [&](Definition& d) { d.members = direct; }), "BAD_TYPECODE 2");
  EXPECT_EQ(changed(s, [&](Definition& d) { d.members = through; }), "");
  const CORBA::TypeCode_var t = type_codes.of(s);
  const CORBA::TypeCode_var member = t->member_type(0), element = member->content_type();
  EXPECT_STREQ(element->id(), model.at(a).id.c_str());
  const Number b = alias("B", kLong), many = sequence(b);
  EXPECT_EQ(changed(b, [&](Definition& d) { d.type = many; }), "BAD_TYPECODE 2") << "a sequence of itself";
}

TEST_F(ModelTest, AnInterfaceIsNoBaseOfItsBases) {
  const Number a = make(definition(Kind::Interface, "A"));
  Definition d = definition(Kind::Interface, "B");
  d.bases = {a};
  const Number b = make(d);
  EXPECT_EQ(changed(a, [&](Definition& x) { x.bases = {b}; }), "BAD_PARAM 0");
  EXPECT_EQ(changed(a, [&](Definition& x) { x.bases = {a}; }), "BAD_PARAM 0");
  EXPECT_EQ(changed(b, [&](Definition& x) { x.bases = {a, a}; }), "BAD_PARAM 0");
  EXPECT_TRUE(model.at(a).bases.empty());
  EXPECT_TRUE(model.is_a(model.at(b), model.at(a).id));
  EXPECT_FALSE(model.is_a(model.at(a), model.at(b).id));
}

TEST_F(ModelTest, OperationsThatAreInheritedAreNotDeclaredAgain) {
  const Number a = make(definition(Kind::Interface, "A")), other = make(definition(Kind::Interface, "Other"));
  Definition o = definition(Kind::Operation, "run", a);
  o.type = kVoid;
  make(o);
  Definition d = definition(Kind::Interface, "B");
  d.bases = {a};
  const Number b = make(d);
  o = definition(Kind::Operation, "run", b);
  o.type = kVoid;
  EXPECT_EQ(refusal([&] { make(o); }), "BAD_PARAM 5");
  o = definition(Kind::Operation, "run", other);
  o.type = kVoid;
  make(o);
  EXPECT_EQ(changed(b, [&](Definition& x) { x.bases = {a, other}; }), "BAD_PARAM 5");
}

TEST_F(ModelTest, OnewayOperationsHaveNoResults) {
  const Number a = make(definition(Kind::Interface, "A"));
  Definition o = definition(Kind::Operation, "run", a);
  o.mode = 1;
  o.type = kLong;
  EXPECT_EQ(refusal([&] { make(o); }), "BAD_PARAM 31");
  o.type = kVoid;
  o.members = {{"x", kLong, 1, {}}};
  EXPECT_EQ(refusal([&] { make(o); }), "BAD_PARAM 31");
}

TEST_F(ModelTest, WhatIsUsedIsNotDestroyed) {
  const Number m = make(definition(Kind::Module, "m"));
  Definition inner = definition(Kind::Alias, "inner", m);
  inner.type = kLong;
  const Number i = make(inner), user = structure("User", {i});
  const auto destroy = [&](Number n) {
    return refusal([&] {
      Change change(model);
      model.remove(n);
      change.commit(nullptr);
    });
  };
  EXPECT_EQ(destroy(m), "BAD_INV_ORDER 1");
  EXPECT_EQ(destroy(kRepository), "BAD_INV_ORDER 2");
  EXPECT_EQ(destroy(kLong), "BAD_INV_ORDER 2");
  EXPECT_EQ(destroy(user), "");
  EXPECT_EQ(destroy(m), "");
  EXPECT_EQ(model.find(i), nullptr);
  EXPECT_EQ(refusal([&] { model.at(i); }), "OBJECT_NOT_EXIST 4");
  EXPECT_EQ(model.by_id(inner.id), kNone);
  EXPECT_GT(make(definition(Kind::Module, "m")), user) << "numbers are not used again";
}

TEST_F(ModelTest, MovesWhereTheNameIsFree) {
  const Number m = make(definition(Kind::Module, "m")), n = make(definition(Kind::Module, "n", m));
  const Number a = alias("A", kLong);
  const auto move = [&](Number what, Number to, const char* name) {
    return refusal([&] {
      Change change(model);
      model.rename(what, to, name, "2.0");
      change.commit(nullptr);
    });
  };
  EXPECT_EQ(move(m, n, "m"), "BAD_PARAM 4") << "into itself";
  EXPECT_EQ(move(a, m, "N"), "BAD_PARAM 3");
  EXPECT_EQ(move(a, m, "9"), "BAD_PARAM 15");
  EXPECT_EQ(model.absolute_name(model.at(a)), "::A") << "nothing has changed";
  EXPECT_EQ(move(a, m, "B"), "");
  EXPECT_EQ(model.absolute_name(model.at(a)), "::m::B");
  EXPECT_EQ(model.lookup(model.at(n), "B"), a) << "found from within";
  EXPECT_EQ(model.lookup(model.at(kRepository), "A"), kNone);
}

TEST_F(ModelTest, IsBounded) {
  Bounds small;
  small.definitions = 30;
  small.members = 3;
  small.depth = 3;
  Fixture f(small);
  std::string idl;
  for (int i = 0; i < 40; ++i) idl += "interface I" + std::to_string(i) + " {};\n";
  EXPECT_NE(f.feed(idl).find("the repository is full"), std::string::npos);
  EXPECT_EQ(f.model.at(kRepository).contents.size(), 0u);
  EXPECT_NE(f.feed("struct S { long a, b, c, d; };").find("IMP_LIMIT"), std::string::npos);
  EXPECT_NE(f.feed("module a { module b { module c { module d { interface I {}; }; }; }; };").find("IMP_LIMIT"),
            std::string::npos);
}

TEST_F(ModelTest, WhoFeedsWithoutEndIsStopped) {
  Bounds small;
  small.bytes = 200'000;
  Fixture f(small);
  std::size_t files = 0;
  std::string said;
  for (; said.empty() && files < 1000; ++files) {
    const std::string n = std::to_string(files);
    const std::string idl = "module M" + n + " { const string t = \"" + std::string(5000, 'x') + "\"; };";
    said = refusal([&] { EXPECT_EQ(f.feed(idl), ""); });
  }
  EXPECT_EQ(said, "IMP_LIMIT 0");
  EXPECT_LT(files, 100u);
  EXPECT_LE(f.model.bytes(), small.bytes);
  // What is destroyed makes room.
  const std::size_t before = f.model.bytes();
  Change change(f.model);
  f.model.remove(f.named("M0").number);
  change.commit(nullptr);
  EXPECT_LT(f.model.bytes(), before - 5000);
}

TEST_F(ModelTest, AStoreThatRefusesLeavesAllAsItWas) {
  struct Full final : Store {
    void write(const std::vector<const Definition*>&, const std::vector<Number>&, Number) override {
      refuse<CORBA::PERSIST_STORE>(0, "full");
    }
  } full;
  ASSERT_EQ(feed("module M { struct S { long a; }; };"), "");
  const std::size_t before = model.size();
  EXPECT_EQ(refusal([&] { feed("module M { struct T { long a; }; };", &full); }), "PERSIST_STORE 0");
  EXPECT_EQ(model.size(), before);
  EXPECT_EQ(refusal([&] {
              Change change(model);
              model.remove(named("M").number);
              change.commit(&full);
            }),
            "PERSIST_STORE 0");
  EXPECT_EQ(named("M::S").members.size(), 1u);
}

TEST(StoredForm, IsReadBackAndBadBytesAreNot) {
  Definition d;
  d.type = 7;
  d.bound = 3;
  d.scale = -2;
  d.mode = 1;
  d.members = {{"a", 1, 2, std::string("\0x", 2)}, {"b", 3, 0, ""}};
  d.words = {"x", ""};
  d.bases = {4, 5};
  d.base = 9;
  d.supported = {1};
  d.exceptions = {2};
  d.set_exceptions = {3};
  d.initializers = {{"make", {{"p", 4, 0, ""}}, {8}}};
  d.value = "value";
  const std::string bytes = to_bytes(d);
  Definition back;
  ASSERT_TRUE(from_bytes(bytes, back));
  EXPECT_TRUE(back.says_the_same(d));
  for (std::size_t n = 0; n < bytes.size(); ++n) {
    Definition broken;
    EXPECT_FALSE(from_bytes(bytes.substr(0, n), broken)) << n;
    std::string flipped = bytes;
    flipped[n] = static_cast<char>(flipped[n] ^ 0x80);
    (void)from_bytes(flipped, broken);
  }
  EXPECT_FALSE(from_bytes(bytes + "x", back));
}

TEST(BoundedModel, counts_definitions_for_who_makes_them_until_they_are_destroyed) {
  services::MemoryBound bound({50'000, 50'000});
  Model model({}, &bound);
  const auto make = [&](int i) {
    Change change(model);
    const Number n = model.create(definition(Kind::Native, "n" + std::to_string(i)));
    change.commit(nullptr);
    return n;
  };
  const Number first = make(0);
  int made = 1;
  try {
    for (;; ++made) (void)make(made);
  } catch (const CORBA::NO_RESOURCES&) {}
  EXPECT_GE(made, 20);
  EXPECT_LE(made, 150);
  EXPECT_EQ(model.by_id("IDL:1/n" + std::to_string(made) + ":1.0"), kNone) << "rolled back";
  Change change(model);
  model.remove(first);
  change.commit(nullptr);
  EXPECT_NO_THROW(make(made));
}

}  // namespace
}  // namespace callis::ifr::testing
