// SPDX-License-Identifier: Apache-2.0
// Strings of the C++ mapping and their _var, _out and member types.
#include <callis/classic/sequence.h>
#include <callis/classic/string.h>
#include <gtest/gtest.h>
#include <cstring>
#include <cwchar>

namespace {

using CORBA::String_member;
using CORBA::String_var;

TEST(Strings, DupOfNullIsNullAndFreeOfNullDoesNothing) {
  EXPECT_EQ(CORBA::string_dup(nullptr), nullptr);
  CORBA::string_free(nullptr);
}

TEST(Strings, AllocGivesRoomForTheTerminator) {
  String_var s = CORBA::string_alloc(3);
  EXPECT_STREQ(s, "");
  std::memcpy(s.inout(), "abc", 4);
  EXPECT_STREQ(s, "abc");
}

TEST(StringVar, IsNullAtFirst) { EXPECT_EQ(String_var().in(), nullptr); }

TEST(StringVar, TakesACharPointerOverAndCopiesAConstOne) {
  char* mine = CORBA::string_dup("mine");
  String_var a = mine;
  EXPECT_EQ(a.in(), mine);
  const char* literal = "literal";
  a = literal;
  EXPECT_NE(a.in(), literal);
  EXPECT_STREQ(a, "literal");
}

TEST(StringVar, CopiesAreDeepAndMovesAreNot) {
  String_var a = CORBA::string_dup("x");
  const char* const storage = a.in();
  String_var b = a;
  EXPECT_NE(b.in(), storage);
  String_var c = std::move(a);
  EXPECT_EQ(c.in(), storage);
  EXPECT_EQ(a.in(), nullptr);
}

TEST(StringVar, SelfAssignmentKeepsTheString) {
  String_var a = CORBA::string_dup("self");
  const String_var& same = a;
  a = same;
  EXPECT_STREQ(a, "self");
  a = a.inout();
  EXPECT_STREQ(a, "self");
}

TEST(StringVar, RetnGivesTheStringAway) {
  String_var a = CORBA::string_dup("gone");
  const String_var owner = a._retn();
  EXPECT_EQ(a.in(), nullptr);
  EXPECT_STREQ(owner, "gone");
}

TEST(StringVar, OutFreesTheOldString) {
  String_var a = CORBA::string_dup("old");
  a.out() = CORBA::string_dup("new");
  EXPECT_STREQ(a, "new");
}

TEST(StringVar, CharactersAreReachedByIndex) {
  String_var a = CORBA::string_dup("abc");
  a[1] = 'x';
  EXPECT_EQ(a[1u], 'x');
  EXPECT_EQ(std::as_const(a)[2L], 'c');
}

TEST(StringMember, IsTheEmptyStringAtFirstAndAfterRetn) {
  String_member m;
  EXPECT_STREQ(m, "");
  m = "text";
  CORBA::string_free(m._retn());
  EXPECT_STREQ(m, "");
}

TEST(StringMember, AssignsToAndFromVars) {
  String_var v = CORBA::string_dup("v");
  String_member m = v;
  EXPECT_STREQ(m, "v");
  m = "m";
  v = m;
  EXPECT_STREQ(v, "m");
}

TEST(StringMember, ZeroedMemoryIsAValidOne) {
  alignas(String_member) unsigned char memory[sizeof(String_member)] = {};
  auto* m = reinterpret_cast<String_member*>(memory);
  EXPECT_EQ(m->in(), nullptr);
  *m = "set";
  EXPECT_STREQ(m->in(), "set");
  m->~String_member();
}

// C++ mapping 1.3, 4.7: assigning a const char* copies; where to is not said.
TEST(StringVar, CopiesIntoItsOwnMemoryWhereThatFits) {
  String_var v = "0123456789012345678901234567890123456789";
  const char* const memory = v.in();
  v = "shorter, and of the same memory";
  EXPECT_EQ(v.in(), memory);
  EXPECT_STREQ(v, "shorter, and of the same memory");
  v = v.in() + 9;  // a part of itself
  EXPECT_STREQ(v, "and of the same memory");
  const std::string large(10'000, 'x');
  v = large.c_str();
  EXPECT_EQ(v.in(), large);
  const char* const large_memory = v.in();
  v = "does not keep the memory of a large one";
  EXPECT_STREQ(v, "does not keep the memory of a large one");
  EXPECT_NE(v.in(), large_memory);
  v = static_cast<const char*>(nullptr);
  EXPECT_EQ(v.in(), nullptr);
}

TEST(StringMember, NeverWritesToTheEmptyStringThatAllShare) {
  CORBA::String_member a, b;
  a = "x";
  EXPECT_STREQ(b.in(), "");
  a = "";
  EXPECT_STREQ(a.in(), "");
}

TEST(StringOut, NullsWhatTheCallerHad) {
  const auto callee = [](CORBA::String_out out) {
    EXPECT_EQ(out.ptr(), nullptr);
    out = "result";
  };
  String_var v = CORBA::string_dup("old");
  callee(v);
  EXPECT_STREQ(v, "result");
  char* raw = nullptr;
  callee(raw);
  EXPECT_STREQ(raw, "result");
  CORBA::string_free(raw);
}

// The classes are the same for both kinds of characters: what differs is the memory.

TEST(WideStrings, DupOfNullIsNullAndAllocGivesRoomForTheTerminator) {
  EXPECT_EQ(CORBA::wstring_dup(nullptr), nullptr);
  CORBA::wstring_free(nullptr);
  CORBA::WString_var s = CORBA::wstring_alloc(3);
  EXPECT_STREQ(s.in(), L"");
  std::wmemcpy(s.inout(), L"a\u00e4\U0001f600", 4);
  EXPECT_STREQ(s.in(), L"a\u00e4\U0001f600");
}

TEST(WideStrings, VarTakesAPointerOverAndCopiesAConstOne) {
  CORBA::WChar* mine = CORBA::wstring_dup(L"mine");
  CORBA::WString_var a = mine;
  EXPECT_EQ(a.in(), mine);
  const CORBA::WChar* literal = L"literal";
  a = literal;
  EXPECT_NE(a.in(), literal);
  EXPECT_STREQ(a.in(), L"literal");
  const CORBA::WString_var b = a;
  EXPECT_NE(b.in(), a.in());
  EXPECT_STREQ(b.in(), L"literal");
}

TEST(WideStrings, MemberIsEmptyAtFirstAndTakesFromVar) {
  CORBA::WString_member m;
  EXPECT_STREQ(m.in(), L"");
  const CORBA::WString_var v(static_cast<const CORBA::WChar*>(L"v"));
  m = v;
  EXPECT_STREQ(m.in(), L"v");
  m = m.in() + 1;  // a part of itself
  EXPECT_STREQ(m.in(), L"");
}

TEST(WideStrings, OutNullsWhatItRefersTo) {
  CORBA::WString_var v(static_cast<const CORBA::WChar*>(L"old"));
  const CORBA::WString_out out(v);
  EXPECT_EQ(v.in(), nullptr);
  out.ptr() = CORBA::wstring_dup(L"new");
  EXPECT_STREQ(v.in(), L"new");
}

TEST(WideStrings, SequenceElementsAreCopiedAndFreed) {
  callis::classic::WideStringSequence<> s;
  s.length(2);
  EXPECT_STREQ(s[0].in(), L"");
  s[1] = L"one";
  const callis::classic::WideStringSequence<> copy = s;
  s[1] = CORBA::wstring_dup(L"other");
  EXPECT_STREQ(copy[1], L"one");
  EXPECT_STREQ(s[1].in(), L"other");
  callis::classic::WideStringSequence<1> bounded;
  EXPECT_THROW(bounded.length(2), CORBA::BAD_PARAM);
}

}  // namespace
