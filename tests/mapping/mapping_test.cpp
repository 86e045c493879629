// SPDX-License-Identifier: Apache-2.0
// What the C++ mapping 1.3 says of generated types, by clause; most of it at compile time.
#include "interpreted/corpus_skel.h"
#include <gtest/gtest.h>
#include <type_traits>

namespace {

using namespace Interpreted;
template <class A, class B>
constexpr bool kSame = std::is_same_v<A, B>;

// 4.2 Constants
static_assert(kLong == -5 && kSame<decltype(kLong), const CORBA::Long>);
static_assert(kLeast == INT32_MIN && kLeastLong == INT64_MIN && kMost == UINT64_MAX);
static_assert(kTenth == 0.1 && kSame<decltype(kTenth), const CORBA::Double>);
static_assert(kThird == 0.333333343f && kQuote == '\'' && kYes && kOctet == 255);
static_assert(kGreen == green && kSame<decltype(kGreen), const Color>);
static_assert(Peer::kInside == 7);

// 4.6 Enums
static_assert(sizeof(Color) == 4 && red == 0 && blue == 2 && kSame<Color_out, Color&>);
static_assert(sizeof(Peer::State) == 4 && Peer::busy == 1);

// 4.7 Strings
static_assert(kSame<Text, char*> && kSame<Text_var, CORBA::String_var> && kSame<Text_out, CORBA::String_out>);
static_assert(kSame<decltype(Variable::s), CORBA::String_member>);

// 4.11 Structs: fixed ones are plain data, variable ones manage themselves.
static_assert(std::is_trivially_copyable_v<Plain> && std::is_aggregate_v<Plain> && kSame<Plain_out, Plain&>);
static_assert(std::is_aggregate_v<Variable> && !std::is_trivially_copyable_v<Variable>);
static_assert(kSame<Plain::_var_type, Plain_var> && kSame<Variable::_out_type, Variable_out>);
static_assert(kSame<decltype(Nested::bytes), Nested::_bytes> && kSame<Nested::_matrix_slice, CORBA::Long[3]>);
static_assert(kSame<decltype(Variable::tails), Variable::_tails_seq>);

// 4.13 Sequences
static_assert(sizeof(LongSeq) == sizeof(callis::marshal::SequenceHeader));
static_assert(kSame<decltype(std::declval<LongSeq&>()[0]), CORBA::Long&>);
static_assert(kSame<decltype(std::declval<const LongSeq&>()[0]), const CORBA::Long&>);
static_assert(kSame<decltype(std::declval<const TextSeq&>()[0]), const char*>);
static_assert(kSame<decltype(LongSeq::allocbuf(1)), CORBA::Long*> && kSame<decltype(TextSeq::allocbuf(1)), char**>);
static_assert(kSame<decltype(Rows::allocbuf(1)), Row*>);
static_assert(kSame<SameSeq, LongSeq> && kSame<SameSeq_var, LongSeq_var>);
static_assert(!std::is_constructible_v<FewLongs, CORBA::ULong>, "bounded: no maximum to give");

// 4.14 Arrays
static_assert(kSame<Row, CORBA::Long[3]> && kSame<Row_slice, CORBA::Long> && kSame<Row_out, Row_slice*>);
static_assert(kSame<Matrix_slice, Row> && kSame<TextTable_slice, CORBA::String_member[2]>);
static_assert(kSame<decltype(Row_alloc()), Row_slice*> && kSame<SameRow, Row>);

// 4.3 Interfaces
static_assert(kSame<Peer_ptr, Peer*> && kSame<Peer::_ptr_type, Peer_ptr> && kSame<Peer::_var_type, Peer_var>);
static_assert(std::is_base_of_v<CORBA::Object, Both> && std::is_base_of_v<Base::Root, Left>);
static_assert(kSame<decltype(Variable::friendly), Peer_var>);
static_assert(!std::is_constructible_v<Peer> && !std::is_copy_constructible_v<Peer>);

// 4.20 Parameter passing (table 4.2)
static_assert(kSame<decltype(&Values::b_long), CORBA::Long (Values::*)(CORBA::Long, CORBA::Long&, CORBA::Long_out)>);
static_assert(kSame<decltype(&Values::t_string), char* (Values::*)(const char*, char*&, CORBA::String_out)>);
static_assert(kSame<decltype(&Values::v_fixed), Plain (Values::*)(const Plain&, Plain&, Plain_out)>);
static_assert(kSame<decltype(&Values::v_variable), Variable* (Values::*)(const Variable&, Variable&, Variable_out)>);
static_assert(kSame<decltype(&Values::v_long_seq), LongSeq* (Values::*)(const LongSeq&, LongSeq&, LongSeq_out)>);
static_assert(kSame<decltype(&Values::a_row), Row_slice* (Values::*)(const Row, Row_slice*, Row_out)>);
static_assert(
    kSame<decltype(&Values::a_texts), TextPair_slice* (Values::*)(const TextPair, TextPair_slice*, TextPair_out)>);
static_assert(kSame<decltype(&Values::r_peer), Peer_ptr (Values::*)(Peer_ptr, Peer_ptr&, Peer_out)>);

// 4.33 Skeletons
static_assert(std::is_abstract_v<POA_Interpreted::Values> &&
              std::is_base_of_v<POA_Interpreted::Left, POA_Interpreted::Both>);
static_assert(kSame<decltype(std::declval<POA_Interpreted::Peer&>()._this()), Peer_ptr>);

TEST(Mapping, WideConstantsKeepEveryCharacter) {
  EXPECT_EQ(kWide, L'\u00e4');
  EXPECT_STREQ(kWideText, L"w\u20ac \"x\"");
}
TEST(Mapping, FixedConstantsAreExact) {
  EXPECT_EQ(kPi.to_string(), "3.14159265358979323846");
  EXPECT_EQ(kPrice, CORBA::Fixed("-12.50"));
  EXPECT_EQ(kSmall.to_string(), "0.001");
}

TEST(Mapping, UnionIsMadeWithWhatZeroSelects) {
  const ByColor u;
  EXPECT_EQ(u._d(), red);
  EXPECT_STREQ(u.text(), "");
  EXPECT_EQ(Small().c(), 0);  // the default member
  EXPECT_EQ(Branch().leaf(), 0);
  const Price none;
  EXPECT_EQ(none._d(), 0);
  EXPECT_THROW(none.known(), CORBA::BAD_PARAM);
}

TEST(Mapping, ModifierOfAUnionSelectsItsMember) {
  ByColor u;
  u.text("text");
  EXPECT_EQ(u._d(), red);
  LongSeq longs(2);
  longs.length(2);
  longs[1] = 5;
  u.longs(longs);
  EXPECT_EQ(u._d(), green);
  EXPECT_EQ(u.longs()[1], 5);
  u.longs()[1] = 6;
  EXPECT_EQ(u.longs()[1], 6);
  EXPECT_EQ(longs[1], 5);
  u.longs(u.longs());
  EXPECT_EQ(u.longs()[1], 6);
  u.friendly(Peer::_nil());
  EXPECT_EQ(u._d(), blue);
  EXPECT_TRUE(CORBA::is_nil(u.friendly()));
}

TEST(Mapping, ModifierOfAStringTakesACharPointerOverAndCopiesOthers) {
  ByColor u;
  char* const mine = CORBA::string_dup("mine");
  u.text(mine);
  EXPECT_EQ(u.text(), mine);
  const CORBA::String_var v = CORBA::string_dup("var");
  u.text(v);
  EXPECT_STREQ(u.text(), "var");
  EXPECT_NE(u.text(), v.in());
  CORBA::String_member m("member");
  u.text(m);
  EXPECT_STREQ(u.text(), "member");
  u.text(u.text() + 3);  // a part of itself
  EXPECT_STREQ(u.text(), "ber");
}

TEST(Mapping, DiscriminatorOfAUnionMayOnlyBeSetToTheSameMember) {
  Small u;
  u.plain_part(Plain{});
  EXPECT_EQ(u._d(), 2);
  u._d(-3);
  EXPECT_EQ(u._d(), -3);
  EXPECT_THROW(u._d(1), CORBA::BAD_PARAM);
  EXPECT_THROW(u._d(100), CORBA::BAD_PARAM);
  u.c('c');
  u._d(100);
  EXPECT_EQ(u.c(), 'c');
  EXPECT_THROW(u.l(), CORBA::BAD_PARAM);
}

TEST(Mapping, DefaultOfAUnionSelectsNoMember) {
  ByChar u;
  u.bounded("x");
  u._default();
  EXPECT_THROW(u.bounded(), CORBA::BAD_PARAM);
  EXPECT_THROW(u._d('a'), CORBA::BAD_PARAM);
  u._d('b');  // nor does this
  EXPECT_EQ(u._d(), 'b');
}

TEST(Mapping, UnionsAreCopiedDeeplyAndMoved) {
  ByChar a;
  const ByChar::_pair pair = {"one", "two"};
  a.pair(pair);
  const ByChar b = a;
  a.pair()[1] = "three";
  EXPECT_STREQ(b.pair()[1], "two");
  ByChar c = std::move(a);
  EXPECT_STREQ(c.pair()[1], "three");
  a = b;
  EXPECT_STREQ(a.pair()[0], "one");
  a = *&a;
  EXPECT_STREQ(a.pair()[0], "one");
  c = ByChar();
  EXPECT_EQ(c._d(), '\0');
  ByChar_var v = new ByChar(b);
  EXPECT_STREQ(v->pair()[1], "two");
  static_assert(std::is_trivially_copyable_v<Small>);
}

// For templates over IDL types.
template<class T, class Var, class Out>
constexpr bool kNamesItsKin = std::is_same_v<typename T::_var_type, Var>&& std::is_same_v<typename T::_out_type, Out>;
static_assert(kNamesItsKin<Plain, Plain_var, Plain_out> && kNamesItsKin<Variable, Variable_var, Variable_out>);
static_assert(kNamesItsKin<LongSeq, LongSeq_var, LongSeq_out> && kNamesItsKin<ByColor, ByColor_var, ByColor_out>);
static_assert(kNamesItsKin<Peer, Peer_var, Peer_out> && std::is_same_v<Peer::_ptr_type, Peer_ptr>);

TEST(Mapping, StringConstantKeepsEveryCharacter) { EXPECT_STREQ(kText, "tab\there \"quoted\" \\ ?" "?/ \x07" "f"); }

TEST(Mapping, StringMembersAreEmptyAtFirst) {
  const Variable v{};
  EXPECT_STREQ(v.s, "");
  EXPECT_STREQ(v.pair[1], "");
  EXPECT_EQ(v.longs.length(), 0u);
  EXPECT_TRUE(CORBA::is_nil(v.friendly));
}

TEST(Mapping, CopiesOfVariableStructsAreDeep) {
  Variable a{};
  a.s = "one";
  a.few.length(1);
  a.few[0] = "few";
  Variable b = a;
  a.s = "two";
  a.few[0] = "changed";
  EXPECT_STREQ(b.s, "one");
  EXPECT_STREQ(b.few[0], "few");
}

TEST(Mapping, RecursiveStructsCopyAllTheirLevels) {
  Tree t;
  t.value = 1;
  t.children.length(2);
  t.children[1].value = 2;
  t.children[1].children.length(1);
  t.children[1].children[0].value = 3;
  const Tree copy = t;
  t.children.length(0);
  EXPECT_EQ(copy.children[1].children[0].value, 3);
}

TEST(Mapping, ExceptionsKnowTheirNames) {
  try {
    throw Simple(4);
  } catch (const CORBA::UserException& e) {
    EXPECT_STREQ(e._name(), "Simple");
    EXPECT_STREQ(e._rep_id(), "IDL:Interpreted/Simple:1.0");
    EXPECT_STREQ(e.what(), "IDL:Interpreted/Simple:1.0");
    ASSERT_NE(Simple::_downcast(&e), nullptr);
    EXPECT_EQ(Simple::_downcast(&e)->code, 4);
    EXPECT_EQ(Empty::_downcast(&e), nullptr);
  }
}

TEST(Mapping, RaiseThrowsTheMostDerivedException) {
  const Simple e(5);
  const CORBA::Exception& base = e;
  EXPECT_THROW(base._raise(), Simple);
  const std::unique_ptr<CORBA::Exception> copy(base._duplicate());
  EXPECT_EQ(Simple::_downcast(copy.get())->code, 5);
}

TEST(Mapping, ConstructorOfAnExceptionTakesEveryMember) {
  LongSeq longs;
  longs.length(3);
  const Rich::_row row = {7, 8, 9};
  Rich::_notes_seq notes(1);
  const Rich e("why", Plain{}, longs, row, notes, Peer::_nil(), blue, L"wide", L'w', ByColor(), Small(), 7);
  EXPECT_STREQ(e.why, "why");
  EXPECT_EQ(e.longs.length(), 3u);
  EXPECT_EQ(e.row[2], 9);
  EXPECT_EQ(e.tint, blue);
}

TEST(Mapping, DefaultExceptionsHoldZeros) {
  const Rich e;
  EXPECT_EQ(e.plain_part.ll, 0);
  EXPECT_EQ(e.row[1], 0);
  EXPECT_EQ(e.tint, red);
  EXPECT_STREQ(e.why, "");
}

TEST(Mapping, ArrayFunctionsAllocateCopyAndFree) {
  TextPair_var a = TextPair_alloc();
  EXPECT_STREQ(a[0], "");
  a[0] = "x";
  const TextPair_var b = TextPair_dup(a);
  a[0] = "y";
  EXPECT_STREQ(b[0], "x");
  Row from = {1, 2, 3}, to = {};
  Row_copy(to, from);
  EXPECT_EQ(to[2], 3);
}

class ShelfServant : public virtual DeepShelf {
 public:
  CORBA::Long count() override { return 1; }
  void put(Handle* h, Handle*& other) override {
    if (!h) throw Full(other);
    other = h;
  }
  Handle* get(CORBA::Long, CORBA::String_out label, Handle_out second) override {
    label = CORBA::string_dup("label");
    return second = nullptr;
  }
  Shelf_ptr neighbour() override { return Shelf::_duplicate(this); }
  char* name() override { return CORBA::string_dup("shelf"); }
  CORBA::Long add(CORBA::Long a, CORBA::Long b) override { return a + b; }
  void arrange(const Shelves& all, ShelfPair& two) override { two.first = Shelf::_duplicate(all[0]); }
};

TEST(LocalInterfaces, AreImplementedAndCountedLikeReferences) {
  DeepShelf_var deep = new ShelfServant;
  const Shelf_var neighbour = deep->neighbour();
  EXPECT_EQ(neighbour->count(), 1);
  const DeepShelf_var narrowed = DeepShelf::_narrow(neighbour);
  EXPECT_EQ(narrowed.in(), deep.in());
  EXPECT_TRUE(CORBA::is_nil(DeepShelf::_narrow(CORBA::Object::_nil())));
  EXPECT_TRUE(CORBA::is_nil(Peer::_unchecked_narrow(CORBA::Object::_nil())));
  Shelves all(1);
  all.length(1);
  all[0] = Shelf::_duplicate(deep);
  ShelfPair pair;
  pair.key = nullptr;
  deep->arrange(all, pair);
  EXPECT_EQ(pair.first.in(), neighbour.in());
}

TEST(LocalInterfaces, InheritOperationsOfOthersWithoutAStub) {
  const DeepShelf_var deep = new ShelfServant;
  EXPECT_EQ(deep->add(2, 3), 5);
  const Base::Root_ptr root = deep;
  EXPECT_STREQ(CORBA::String_var(root->name()), "shelf");
}

TEST(NativeTypes, ArePassedAsPointersToTheProgramsClass) {
  const DeepShelf_var deep = new ShelfServant;
  int object = 0;
  Handle* const h = reinterpret_cast<Handle*>(&object);
  Handle* other = nullptr;
  deep->put(h, other);
  EXPECT_EQ(other, h);
  try {
    deep->put(nullptr, other);
    FAIL();
  } catch (const Shelf::Full& e) {
    EXPECT_EQ(e.with, h);
  }
  CORBA::String_var label;
  EXPECT_EQ(deep->get(0, label, other), nullptr);
  EXPECT_EQ(other, nullptr);
}

}  // namespace
