// SPDX-License-Identifier: Apache-2.0
// Strings and sequences of the classic mapping from and to the standard library's; and that the mapping's own ways to
// write things mean what they did.
#include <callis/classic/classic.h>
#include <gtest/gtest.h>
#include <array>
#include <string>
#include <vector>

namespace {

using namespace callis::classic;
using namespace std::string_literals;
using namespace std::string_view_literals;
using CORBA::String_member;
using CORBA::String_var;
using Longs = Sequence<CORBA::Long>;
using Three = Sequence<CORBA::Long, 3>;
using Texts = StringSequence<>;
using FewTexts = StringSequence<2>;

// As generated code derives them.
class NamedLongs : public Sequence<CORBA::Long> {
 public:
  using SequenceOf::SequenceOf;
};

// ---- strings ----

template <class Holder>
class TextHolder : public ::testing::Test {};
using Holders = ::testing::Types<String_var, String_member>;
TYPED_TEST_SUITE(TextHolder, Holders);

TYPED_TEST(TextHolder, TakesStandardStringsByCopy) {
  const std::string text = "text";
  TypeParam a = text, b = "view of it"sv.substr(0, 4), c(std::string("temporary"));
  EXPECT_STREQ(a, "text");
  EXPECT_NE(a.in(), text.c_str());
  EXPECT_STREQ(b, "view");
  EXPECT_STREQ(c, "temporary");
  a = "other"s;
  b = "another"sv;
  EXPECT_EQ(a.as_view(), "other");
  EXPECT_EQ(b.as_view(), "another");
  a = a.as_view().substr(2);
  EXPECT_STREQ(a, "her") << "a part of itself";
}

TYPED_TEST(TextHolder, RefusesTheCharacter0AndStaysAsItWas) {
  TypeParam a = "old"s;
  EXPECT_THROW(a = "n\0w"s, CORBA::BAD_PARAM);
  EXPECT_THROW(a = "n\0w"sv, CORBA::BAD_PARAM);
  EXPECT_THROW(TypeParam("n\0w"s), CORBA::BAD_PARAM);
  EXPECT_STREQ(a, "old");
}

TYPED_TEST(TextHolder, IsSeenAsAView) {
  EXPECT_EQ(TypeParam().as_view(), "");
  const TypeParam a = "text";
  EXPECT_EQ(a.as_view(), "text");
  EXPECT_EQ(std::string_view(a), "text");
  EXPECT_EQ(std::string(a), "text");
}

TEST(Texts, ElementsTakeStandardStrings) {
  Texts s;
  s.length(2);
  s[0] = "one"s;
  s[1] = "two"sv;
  EXPECT_EQ(s[0].as_view(), "one");
  EXPECT_STREQ(s[1], "two");
  EXPECT_THROW(s[0] = "\0"s, CORBA::BAD_PARAM);
  char mine[] = "mine";
  char* slots[] = {mine};
  Texts borrowed(1, 1, slots);
  borrowed[0] = "new"s;  // what the sequence does not own is not freed
  EXPECT_STREQ(mine, "mine");
  CORBA::string_free(slots[0]);
}

TEST(Texts, OutParametersTakeStandardStrings) {
  const auto callee = [](CORBA::String_out out) { out = "result"s; };
  String_var v = "old";
  callee(v);
  EXPECT_STREQ(v, "result");
}

TEST(Texts, StringDupTakesStandardStrings) {
  const String_var s = callis::string_dup("view"sv);
  const String_var t = callis::string_dup("string"s);
  EXPECT_STREQ(s, "view");
  EXPECT_STREQ(t, "string");
  EXPECT_THROW(callis::string_dup("\0"s), CORBA::BAD_PARAM);
}

TEST(Texts, OfWideCharactersDoTheSame) {
  CORBA::WString_var v = L"text"s;
  CORBA::WString_member m = L"view"sv;
  EXPECT_EQ(v.as_view(), L"text");
  v = L"other"s;
  m = L"\0"sv.substr(1);
  EXPECT_EQ(v.as_view(), L"other");
  EXPECT_EQ(m.as_view(), L"");
  EXPECT_THROW(v = L"\0"s, CORBA::BAD_PARAM);
  const WideStringSequence<> s{L"one", L"two"s};
  EXPECT_STREQ(s[1], L"two");
}

// ---- sequences ----

TEST(Lists, MakeSequences) {
  const Longs s{1, 2, 3};
  ASSERT_EQ(s.length(), 3u);
  EXPECT_EQ(s[2], 3);
  EXPECT_TRUE(s.release());
  NamedLongs named = {4, 5};
  named = {6, 7, 8};
  EXPECT_EQ(named.length(), 3u);
  const auto sum = [](const NamedLongs& in) {
    CORBA::Long n = 0;
    for (const CORBA::Long x : in) n += x;
    return n;
  };
  EXPECT_EQ(sum({1, 2, 3}), 6);
  EXPECT_EQ(sum({}), 0);
  const Sequence<Longs> nested{{1}, {2, 3}};
  EXPECT_EQ(nested[1][1], 3);
}

TEST(Lists, OfStringsCopyWhateverIsAString) {
  const String_var var = "var";
  const String_member member = "member"s;
  const char* const pointer = "pointer";
  const Texts s{"literal", pointer, "string"s, "view"sv, var, member};
  ASSERT_EQ(s.length(), 6u);
  EXPECT_EQ(s.to<std::vector<std::string>>(),
            (std::vector<std::string>{"literal", "pointer", "string", "view", "var", "member"}));
  static_assert(!std::is_constructible_v<TextItem<char>, char*>, "it could be meant to be taken over");
  static_assert(!std::is_constructible_v<TextItem<char>, int>);
  EXPECT_THROW((Texts{"good", "b\0d"s}), CORBA::BAD_PARAM);
}

TEST(Lists, ReachTheBoundAndNoFurther) {
  EXPECT_EQ((Three{1, 2, 3}).length(), 3u);
  EXPECT_THROW((Three{1, 2, 3, 4}), CORBA::BAD_PARAM);
  EXPECT_THROW(Three(std::vector<CORBA::Long>(4)), CORBA::BAD_PARAM);
  EXPECT_THROW((FewTexts{"1", "2", "3"}), CORBA::BAD_PARAM);
  Three grown{1};
  EXPECT_EQ(grown.get_buffer()[2], 0) << "room for the bound";
}

TEST(Containers, MakeSequences) {
  const std::vector<CORBA::Long> vector{1, 2};
  const std::array<CORBA::Long, 3> array{1, 2, 3};
  EXPECT_EQ(Longs(vector)[1], 2);
  EXPECT_EQ(Longs(array)[2], 3);
  EXPECT_EQ(NamedLongs(std::span(vector).first(1)).length(), 1u);
  EXPECT_EQ(NamedLongs(Longs{7}.as_span())[0], 7) << "of another type with the same elements";
  EXPECT_EQ(Longs(std::vector<CORBA::Long>()).length(), 0u);
  EXPECT_EQ(Texts(std::vector<std::string>{"a", "b"})[1].as_view(), "b");
  EXPECT_EQ(Texts(std::vector<const char*>{"a"})[0].as_view(), "a");
  const Sequence<CORBA::Boolean> bits(std::vector<bool>{true, false});
  EXPECT_TRUE(bits[0]);
  static_assert(!std::is_constructible_v<Longs, std::vector<double>>);
  static_assert(!std::is_convertible_v<std::vector<CORBA::Long>, Longs>, "a copy is to be seen in the text");
}

TEST(Containers, AreMadeOfSequences) {
  const Longs s{1, 2, 3};
  EXPECT_EQ(s.to<std::vector<CORBA::Long>>(), (std::vector<CORBA::Long>{1, 2, 3}));
  EXPECT_EQ(Longs().to<std::vector<CORBA::Long>>().size(), 0u);
  char* slots[] = {nullptr};
  EXPECT_EQ(Texts(1, 1, slots).to<std::vector<std::string>>(), std::vector<std::string>{""});
}

TEST(Spans, ShowTheElements) {
  Longs s{1, 2, 3};
  for (CORBA::Long& x : s.as_span()) x *= 2;
  EXPECT_EQ(std::as_const(s).as_span()[2], 6);
  EXPECT_EQ(s.as_span().data(), s.get_buffer());
  EXPECT_TRUE(Longs().as_span().empty());
  const Texts t{"a"};
  EXPECT_STREQ(t.as_span()[0], "a");
}

// ---- object references ----

struct Counted;
Counted* callis_duplicate(Counted*);
void callis_release(Counted*);
struct Counted {
  int count = 1;
};
Counted* callis_duplicate(Counted* c) {
  if (c) ++c->count;
  return c;
}
void callis_release(Counted* c) {
  if (c) --c->count;
}

TEST(Lists, OfReferencesCountVarsAndTakePointersOver) {
  Counted one, two;
  {
    const ReferenceVar<Counted> var = callis_duplicate(&one);
    const ReferenceSequence<Counted> s{var, callis_duplicate(&two), nullptr};
    EXPECT_EQ(s.length(), 3u);
    EXPECT_EQ(one.count, 3);
    EXPECT_EQ(two.count, 2);
    const auto vector = s.to<std::vector<ReferenceVar<Counted>>>();
    EXPECT_EQ(one.count, 4);
    EXPECT_EQ(ReferenceSequence<Counted>(vector).length(), 3u);
    EXPECT_EQ(one.count, 4);
  }
  EXPECT_EQ(one.count, 1);
  EXPECT_EQ(two.count, 1);
}

// ---- what the mapping has, which means what it did ----

TEST(ClassicMapping, SequencesInParenthesesAreAsBefore) {
  EXPECT_EQ(Longs(3).length(), 0u);
  EXPECT_EQ(Longs(3).maximum(), 3u);
  EXPECT_EQ(Texts{4u}.maximum(), 4u) << "no string";
  CORBA::Long buffer[2] = {1, 2};
  EXPECT_EQ(Longs(2, 2, buffer)[1], 2);
  EXPECT_EQ((Longs{2, 2, buffer})[1], 2);
  EXPECT_EQ((Three{2, buffer, false})[1], 2);
  const Longs original{1, 2};
  EXPECT_EQ(Longs(original).length(), 2u);
  EXPECT_EQ(Longs{original}.length(), 2u);
  EXPECT_EQ(Longs{}.length(), 0u);
}

int kind(const char*) { return 1; }
int kind(const std::string&) { return 2; }
int kind(std::string_view) { return 3; }
void take_pointer(char*&) {}
void take_const(const char*) {}

TEST(ClassicMapping, StringsGoWhereTheyWent) {
  String_var v = "v";
  const String_var c = "c";
  String_member m = "m";
  Texts s;
  s.length(1);
  EXPECT_EQ(kind(c), 1);
  EXPECT_EQ(kind(v.in()), 1);
  EXPECT_EQ(kind(std::string(v)), 2);
  EXPECT_EQ(kind(v.as_view()), 3);
  take_const(v);
  take_const(m);
  take_const(s[0]);
  take_pointer(v);
  take_pointer(m);
  take_pointer(v.inout());
  v = CORBA::string_dup("given");
  v = static_cast<const char*>("copied");
  v = m;
  m = s[0];
  s[0] = v;
  s[0] = CORBA::string_dup("given");
  s[0] = static_cast<const char*>("copied");
  m = v._retn();
  EXPECT_EQ(v.in(), nullptr);
  const std::string copied(m), assigned = m.in();
  EXPECT_EQ(copied, assigned);
  std::string appended = "a";
  appended += m;
  EXPECT_EQ(appended, "a" + copied);
  char* (*const dup)(const char*) = &CORBA::string_dup;
  const String_var by_pointer = dup("x");
  EXPECT_STREQ(by_pointer, "x");
}

}  // namespace
