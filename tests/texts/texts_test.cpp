// SPDX-License-Identifier: Apache-2.0
// What applications write with strings and sequences of generated types: the standard library's way, and the classic
// mapping's, which must stay as it was.
#include <callis/corba.h>
#include <callis/portable_server.h>
#include <gtest/gtest.h>
#include <array>
#include <string>
#include <vector>
#include "texts_skel.h"

namespace {

using namespace std::string_literals;
using namespace std::string_view_literals;
using Strings = std::vector<std::string>;

// The standard library's way.
class ModernDesk : public POA_Texts::Desk {
  char* label() override { return callis::string_dup(label_); }
  void label(const char* text) override { label_ = text; }
  char* text(const char* a, char*& b, CORBA::String_out c) override {
    c = a + "!"s;
    const std::string was = b;
    CORBA::string_free(b);
    b = callis::string_dup(was + "?");
    return callis::string_dup(std::string_view(a).substr(1));
  }
  Texts::Names* take_names(const Texts::Names& a, Texts::Names& b, Texts::Names_out c) override {
    c = new Texts::Names(Strings{"c", "cc"});
    b = {"b", a[0]};
    auto all = a.to<Strings>();
    all.push_back("more");
    return new Texts::Names(all);
  }
  Texts::Longs* take_longs(const Texts::Longs& a, Texts::Longs& b, Texts::Longs_out c) override {
    c = new Texts::Longs{7};
    for (CORBA::Long& x : b) x = -x;
    CORBA::Long sum = 0;
    for (const CORBA::Long x : a.as_span()) sum += x;
    return new Texts::Longs{sum};
  }
  CORBA::Long count_few(const Texts::FewLongs& a, const Texts::Points& b, const Texts::Octets& c,
                        const Texts::Desks& d) override {
    return static_cast<CORBA::Long>(a.length() + b.length() + c.length() + d.length());
  }
  Texts::Person* take_person(const Texts::Person& a) override {
    if (a.name.as_view() == "nobody") throw Texts::Refused("unknown", Texts::Longs{1, 2});
    Texts::Person_var copy = new Texts::Person(a);
    copy->name = a.name.as_view().substr(1);
    copy->nickname = "n"s;
    copy->titles = {"Dr", copy->nickname};
    copy->pair[1] = "second"s;
    return copy._retn();
  }
  std::string label_ = "label";
};

struct Calls : ::testing::Test {
  Calls() {
    std::string words[] = {"texts", "-ORBEndpoint", "memory:texts"};
    char* argv[] = {words[0].data(), words[1].data(), words[2].data(), nullptr};
    int argc = 3;
    orb = CORBA::ORB_init(argc, argv, "texts");
    CORBA::Object_var object = orb->resolve_initial_references("RootPOA");
    poa = PortableServer::POA::_narrow(object);
    PortableServer::ServantBase_var servant = new ModernDesk;
    PortableServer::ObjectId_var id = poa->activate_object(servant);
    object = poa->id_to_reference(id);
    desk = Texts::Desk::_narrow(object);
    PortableServer::POAManager_var(poa->the_POAManager())->activate();
  }
  ~Calls() override { orb->destroy(); }

  CORBA::ORB_var orb;
  PortableServer::POA_var poa;
  Texts::Desk_var desk;
};

TEST_F(Calls, TakeAndGiveStandardStrings) {
  desk->label(("new "s + "label").c_str());
  CORBA::String_var label = desk->label();
  EXPECT_EQ(label.as_view(), "new label");
  CORBA::String_var b = "b"s, c;
  CORBA::String_var result = desk->text("text", b.inout(), c.out());
  EXPECT_EQ(std::string(result), "ext");
  EXPECT_EQ(b.as_view(), "b?");
  EXPECT_EQ(c.as_view(), "text!");
}

TEST_F(Calls, TakeAndGiveStandardContainers) {
  Texts::Names b{"old"};
  Texts::Names_var c;
  Texts::Names_var result = desk->take_names({"a", std::string("aa")}, b, c.out());
  EXPECT_EQ(result->to<Strings>(), (Strings{"a", "aa", "more"}));
  EXPECT_EQ(b.to<Strings>(), (Strings{"b", "a"}));
  EXPECT_EQ(c->to<Strings>(), (Strings{"c", "cc"}));
  Texts::Longs numbers{1, 2};
  Texts::Longs_var out;
  Texts::Longs_var sum = desk->take_longs(Texts::Longs(std::vector<CORBA::Long>{1, 2, 3}), numbers, out.out());
  EXPECT_EQ(sum->as_span()[0], 6);
  EXPECT_EQ(numbers[1], -2);
  EXPECT_EQ(out->length(), 1u);
  EXPECT_EQ(desk->count_few({1, 2, 3}, {{1, 2}, {3, 4}}, {0xff}, {desk, desk}), 8);
  EXPECT_THROW(desk->count_few({1, 2, 3, 4}, {}, {}, {}), CORBA::BAD_PARAM) << "beyond its bound";
}

TEST_F(Calls, TakeAndGiveStructs) {
  Texts::Person someone{"name"s, L"wide"s, "nick"sv, {1, 2}, {"Mr"}, {}};
  someone.pair[0] = "first"s;
  Texts::Person_var answer = desk->take_person(someone);
  EXPECT_EQ(answer->name.as_view(), "ame");
  EXPECT_EQ(answer->wide_name.as_view(), L"wide");
  EXPECT_EQ(answer->titles[1].as_view(), "n");
  EXPECT_EQ(answer->pair[1].as_view(), "second");
  someone.name = "nobody"s;
  try {
    answer = desk->take_person(someone);
    ADD_FAILURE();
  } catch (const Texts::Refused& e) {
    EXPECT_EQ(e.which.to<std::vector<CORBA::Long>>(), (std::vector<CORBA::Long>{1, 2}));
  }
}

TEST(Types, MadeOfListsAndContainers) {
  const Texts::Table table{{"a", "b"}, {"c"s}};
  EXPECT_STREQ(table[1][0], "c");
  const Texts::Points points(std::array<Texts::Point, 2>{{{1, 2}, {3, 4}}});
  EXPECT_EQ(points[1].y, 4);
  const Texts::WideNames wide{L"w", L"ww"s};
  EXPECT_STREQ(wide[1], L"ww");
  Texts::Node tree{1, {}};
  tree.kids = {Texts::Node{2, {}}, Texts::Node{3, {}}};
  EXPECT_EQ(tree.kids[1].value, 3);
  const Texts::Node copy = tree;
  EXPECT_EQ(copy.kids.length(), 2u);
  Texts::People people{{}, {"x", L"", "", {}, {}, {}}};
  EXPECT_STREQ(people[1].name, "x");
  CORBA::Any one;
  one <<= CORBA::Long(1);
  const Texts::Anys anys{one, one};
  EXPECT_EQ(anys.length(), 2u);
  Texts::Choice choice;
  choice.list({"u"});
  EXPECT_EQ(choice.list().length(), 1u);
  Texts::Names_var held = new Texts::Names{"h"};
  held = new Texts::Names(Strings{"i", "j"});
  EXPECT_EQ(held->length(), 2u);
  CORBA::Any any;
  any <<= Texts::Names{"in", "any"};
  const Texts::Names* back = nullptr;
  ASSERT_TRUE(any >>= back);
  EXPECT_EQ((*back)[1], "any"sv);
}

// The classic mapping's way: as books and other ORBs' examples have it.
TEST_F(Calls, OfTheClassicMapping) {
  CORBA::String_var a = CORBA::string_dup("text");
  CORBA::String_var b = static_cast<const char*>("b");
  CORBA::String_var c;
  CORBA::String_var result = desk->text(a, b, c);
  result = desk->text(a.in(), b.inout(), c.out());
  char* raw_in = CORBA::string_dup("raw");
  char* raw_out;
  char* raw = desk->text("x", raw_in, raw_out);
  CORBA::string_free(raw_in);
  CORBA::string_free(raw_out);
  CORBA::string_free(raw);
  desk->label(a);
  desk->label(CORBA::String_var(desk->label()));
  const CORBA::String_var label = desk->label();
  EXPECT_STREQ(label, "text");

  Texts::Names names(3);
  names.length(2);
  names[0] = "literal";
  names[1] = CORBA::string_dup("given");
  names[0] = names[1];
  names[1] = a;
  a = names[0];
  Texts::Names more = names;
  more = names;
  const char* const element = names[1];
  EXPECT_STREQ(element, "text");
  char** buffer = Texts::Names::allocbuf(2);
  buffer[0] = CORBA::string_dup("1");
  buffer[1] = CORBA::string_dup("2");
  Texts::Names owner(2, 2, buffer, 1);
  owner.replace(0, 0, 0, 0);
  Texts::Names_var out;
  Texts::Names_var all = desk->take_names(names, more, out);
  all = desk->take_names(all.in(), all.inout(), out.out());
  EXPECT_STREQ(out[1u], "cc");

  CORBA::ULong n = 2;
  int size = 2;
  Texts::Longs longs(n), other(static_cast<CORBA::ULong>(size)), empty(0);
  EXPECT_EQ(longs.maximum(), 2u);
  EXPECT_EQ(empty.maximum(), 0u);
  longs.length(n);
  longs[0] = 1;
  longs[1] = longs[0];
  other = longs;
  CORBA::Long numbers[] = {1, 2, 3};
  Texts::FewLongs few(3, numbers);
  Texts::Longs borrowed(3, 3, numbers, false);
  EXPECT_EQ(desk->count_few(few, Texts::Points(), Texts::Octets(), Texts::Desks()), 3);
  Texts::Desks desks;
  desks.length(1);
  desks[0] = Texts::Desk::_duplicate(desk);
  EXPECT_EQ(desk->count_few(few, Texts::Points(4), Texts::Octets(2), desks), 4);

  Texts::Person someone;
  someone.name = CORBA::string_dup("name");
  someone.name = "literal";
  someone.name = a;
  someone.name = names[0];
  someone.numbers = longs;
  someone.titles.length(1);
  someone.titles[0] = someone.name;
  someone.pair[0] = a;
  const char* const name = someone.name;
  EXPECT_STREQ(name, someone.titles[0]);
  Texts::Choice choice;
  choice.text("literal");
  choice.text(CORBA::string_dup("given"));
  choice.text(a);
  CORBA::Any any;
  any <<= "text";
  any <<= a.in();
  any <<= names;
  any <<= new Texts::Names(names);
  EXPECT_THROW(throw Texts::Refused("why", longs), Texts::Refused);
}

}  // namespace
