// SPDX-License-Identifier: Apache-2.0
// Sequences of the C++ mapping: ownership, length, bounds, elements of every kind.
#include <callis/classic/classic.h>
#include <gtest/gtest.h>

namespace {

using namespace callis::classic;
using Longs = Sequence<CORBA::Long>;
using Few = Sequence<CORBA::Long, 4>;
using Texts = StringSequence<>;

struct Item {
  CORBA::Long n;
  CORBA::String_member s;
};
using Items = Sequence<Item>;

TEST(Sequence, IsEmptyAtFirstAndOwnsItsBuffer) {
  const Longs s;
  EXPECT_EQ(s.length(), 0u);
  EXPECT_EQ(s.maximum(), 0u);
  EXPECT_TRUE(s.release());
  EXPECT_EQ(s.get_buffer(), nullptr);
}

TEST(Sequence, ZeroedMemoryIsAnEmptyOne) {
  alignas(Texts) unsigned char memory[sizeof(Texts)] = {};
  auto* s = reinterpret_cast<Texts*>(memory);
  EXPECT_EQ(s->length(), 0u);
  EXPECT_TRUE(s->release());
  s->length(2);
  (*s)[1] = "x";
  EXPECT_STREQ((*s)[1], "x");
  s->~Texts();
}

TEST(Sequence, MaximumOfTheConstructorIsRoomNotLength) {
  Longs s(10);
  EXPECT_EQ(s.maximum(), 10u);
  EXPECT_EQ(s.length(), 0u);
  const CORBA::Long* buffer = s.get_buffer();
  s.length(10);
  EXPECT_EQ(s.get_buffer(), buffer);
}

TEST(Sequence, NewElementsAreEmpty) {
  Longs l;
  l.length(3);
  EXPECT_EQ(l[2], 0);
  Texts t;
  t.length(3);
  EXPECT_STREQ(t[2], "");
  Items i;
  i.length(2);
  EXPECT_STREQ(i[1].s, "");
}

TEST(Sequence, ElementsCutOffAreEmptyWhenTheyComeBack) {
  Texts t;
  t.length(2);
  t[1] = "gone";
  t.length(1);
  t.length(2);
  EXPECT_STREQ(t[1], "");
  Longs l;
  l.length(2);
  l[1] = 5;
  l.length(1);
  l.length(2);
  EXPECT_EQ(l[1], 0);
}

TEST(Sequence, GrowingKeepsTheElements) {
  Items s;
  for (CORBA::ULong i = 0; i < 100; ++i) {
    s.length(i + 1);
    s[i].n = static_cast<CORBA::Long>(i);
    s[i].s = std::to_string(i).c_str();
  }
  for (CORBA::ULong i = 0; i < 100; ++i) {
    EXPECT_EQ(s[i].n, static_cast<CORBA::Long>(i));
    EXPECT_EQ(std::to_string(i), s[i].s.in());
  }
}

TEST(Sequence, AppendingOneByOneMovesRarely) {
  Longs s;
  int moves = 0;
  const CORBA::Long* last = nullptr;
  for (CORBA::ULong i = 0; i < 100000; ++i) {
    s.length(i + 1);
    if (std::exchange(last, s.get_buffer()) != s.get_buffer()) ++moves;
  }
  EXPECT_LT(moves, 20);
}

TEST(Sequence, IndexBeyondTheLengthIsBadParam) {
  Longs s(4);
  s.length(2);
  EXPECT_THROW(s[2] = 1, CORBA::BAD_PARAM);
  EXPECT_THROW((void)std::as_const(s)[UINT32_MAX], CORBA::BAD_PARAM);
}

TEST(Sequence, LengthBeyondTheBoundIsBadParam) {
  Few s;
  EXPECT_EQ(s.maximum(), 4u);
  s.length(4);
  EXPECT_THROW(s.length(5), CORBA::BAD_PARAM);
  EXPECT_EQ(s.length(), 4u);
}

TEST(Sequence, LengthBeyondTheMaximumGivenIsBadParam) {
  CORBA::Long buffer[2];
  EXPECT_THROW(Longs(2, 3, buffer), CORBA::BAD_PARAM);
  EXPECT_THROW(Few(5, buffer), CORBA::BAD_PARAM);
}

TEST(Sequence, ImpossibleLengthIsNoMemoryAndChangesNothing) {
  Sequence<char[std::size_t{1} << (sizeof(std::size_t) > 4 ? 33 : 24)]> s;  // the product does not fit a std::size_t
  volatile CORBA::ULong many = UINT32_MAX;   // a constant would make the compiler warn
  EXPECT_THROW(s.length(many), CORBA::NO_MEMORY);
  EXPECT_EQ(s.length(), 0u);
  EXPECT_EQ(s.allocbuf(many), nullptr);
}

TEST(Sequence, BufferWithoutReleaseStaysTheCallers) {
  CORBA::Long buffer[3] = {1, 2, 3};
  {
    Longs s(3, 2, buffer);
    EXPECT_FALSE(s.release());
    EXPECT_EQ(s.get_buffer(), buffer);
    s[0] = 10;
    s.length(3);
    EXPECT_EQ(s[2], 3) << "the caller's value";
    s.length(4);  // beyond its maximum: a buffer of its own
    EXPECT_TRUE(s.release());
    s[1] = 99;
  }
  EXPECT_EQ(buffer[0], 10);
  EXPECT_EQ(buffer[1], 2);
}

TEST(Sequence, StringsWithoutReleaseAreNotFreedOnAssignment) {
  char a[] = "a", b[] = "b";
  char* buffer[] = {a, b};
  Texts s(2, 2, buffer);
  s[0] = CORBA::string_dup("mine");
  const CORBA::String_var mine = buffer[0];
  s.length(3);  // a buffer of its own, with copies
  EXPECT_NE(s.get_buffer()[0], mine.in());
  EXPECT_STREQ(s[0], "mine");
  EXPECT_STREQ(s[1], "b");
}

TEST(Sequence, BufferWithReleaseIsFreedByTheSequence) {
  char** buffer = Texts::allocbuf(2);
  buffer[0] = CORBA::string_dup("x");
  const Texts s(2, 1, buffer, true);
  EXPECT_TRUE(s.release());
  EXPECT_STREQ(s[0], "x");
}

TEST(Sequence, CopyIsDeepAndHasTheSameMaximum) {
  Texts a(5);
  a.length(2);
  a[0] = "one";
  Texts b = a;
  EXPECT_EQ(b.maximum(), 5u);
  a[0] = "two";
  EXPECT_STREQ(b[0], "one");
  b.length(5);
  EXPECT_STREQ(b[4], "");
}

TEST(Sequence, AssignmentReplacesWhatWasThere) {
  Texts a, b;
  a.length(3);
  a[2] = "a";
  b.length(1);
  b[0] = "b";
  a = b;
  ASSERT_EQ(a.length(), 1u);
  EXPECT_STREQ(a[0], "b");
  const Texts& same = a;
  a = same;
  EXPECT_STREQ(a[0], "b");
}

TEST(Sequence, AssignmentToABorrowedBufferDoesNotWriteIntoIt) {
  CORBA::Long buffer[2] = {1, 2};
  Longs s(2, 2, buffer), other;
  other.length(1);
  other[0] = 7;
  s = other;
  EXPECT_EQ(buffer[0], 1);
  EXPECT_EQ(s[0], 7);
}

TEST(Sequence, MovedFromIsEmpty) {
  Texts a;
  a.length(2);
  Texts b = std::move(a);
  EXPECT_EQ(a.length(), 0u);
  EXPECT_EQ(b.length(), 2u);
  a = std::move(b);
  EXPECT_EQ(a.length(), 2u);
}

TEST(Sequence, ReplaceTakesAnotherBuffer) {
  Longs s;
  s.length(3);
  CORBA::Long* buffer = Longs::allocbuf(4);
  buffer[1] = 9;
  s.replace(4, 2, buffer, true);
  EXPECT_EQ(s.maximum(), 4u);
  EXPECT_EQ(s.length(), 2u);
  EXPECT_EQ(s[1], 9);
}

TEST(Sequence, OrphanedBufferIsTheCallers) {
  Texts s;
  s.length(1);
  s[0] = "orphan";
  char** buffer = s.get_buffer(true);
  EXPECT_EQ(s.length(), 0u);
  EXPECT_EQ(s.maximum(), 0u);
  EXPECT_STREQ(buffer[0], "orphan");
  Texts::freebuf(buffer);
}

TEST(Sequence, BorrowedBufferCannotBeOrphaned) {
  CORBA::Long buffer[1] = {1};
  Longs s(1, 1, buffer);
  EXPECT_EQ(s.get_buffer(true), nullptr);
  EXPECT_EQ(s.length(), 1u);
}

TEST(Sequence, BoundedBufferHasRoomForTheBound) {
  Few s;
  s.length(1);
  s[0] = 5;
  CORBA::Long* buffer = s.get_buffer();
  buffer[3] = 8;  // a sanitizer watches
  EXPECT_EQ(buffer[0], 5);
  s.length(4);
}

TEST(Sequence, AllocbufGivesEmptyElementsAndFreebufFreesAll) {
  Item* items = Items::allocbuf(3);
  EXPECT_STREQ(items[2].s, "");
  items[0].s = "x";
  Items::freebuf(items);
  Items::freebuf(nullptr);
}

TEST(Sequence, StringElementsAssignByValueAmongThemselves) {
  Texts s;
  s.length(2);
  s[0] = "same";
  s[1] = s[0];
  s[0] = s[0];
  EXPECT_STREQ(s[0], "same");
  EXPECT_NE(s.get_buffer()[0], s.get_buffer()[1]);
  const CORBA::String_var v = s[1];
  EXPECT_STREQ(v, "same");
  CORBA::string_free(s[1]._retn());
  EXPECT_STREQ(s[1], "");
}

TEST(Sequence, RangeForGoesOverTheElements) {
  Longs s;
  s.length(3);
  for (CORBA::Long& x : s) x = 2;
  CORBA::Long sum = 0;
  for (CORBA::Long x : std::as_const(s)) sum += x;
  EXPECT_EQ(sum, 6);
}

TEST(Sequence, OfArraysHoldsArrays) {
  using TextPairs = Sequence<CORBA::String_member[2]>;
  TextPairs s;
  s.length(2);
  s[1][0] = "x";
  const TextPairs copy = s;
  s[1][0] = "y";
  EXPECT_STREQ(copy[1][0], "x");
}

// ---- object references ----

class Thing;
Thing* callis_duplicate(Thing*);
void callis_release(Thing*);
using Things = ReferenceSequence<Thing>;
using Thing_var = ReferenceVar<Thing>;

class Thing {
 public:
  int count = 1;
};
Thing* callis_duplicate(Thing* t) {
  if (t) ++t->count;
  return t;
}
void callis_release(Thing* t) {
  if (t) --t->count;
}

TEST(ReferenceSequence, CountsWhatItHolds) {
  Thing thing;
  {
    Things s;
    s.length(2);
    EXPECT_EQ(s[0].in(), nullptr);
    s[0] = callis_duplicate(&thing);
    s[1] = s[0];
    EXPECT_EQ(thing.count, 3);
    const Things copy = s;
    EXPECT_EQ(thing.count, 5);
    s.length(1);
    EXPECT_EQ(thing.count, 4);
  }
  EXPECT_EQ(thing.count, 1);
}

TEST(ReferenceSequence, AssignmentOfTheElementItselfKeepsIt) {
  Thing thing;
  {
    Things s;
    s.length(1);
    s[0] = callis_duplicate(&thing);
    s[0] = s[0];
    EXPECT_EQ(thing.count, 2);
  }
  EXPECT_EQ(thing.count, 1);
}

TEST(ReferenceVar, AssignmentOfTheSamePointerGivesOneCountBack) {
  Thing thing;
  Thing_var v = callis_duplicate(&thing);
  v = callis_duplicate(v.in());
  EXPECT_EQ(thing.count, 2);
  v = nullptr;
  EXPECT_EQ(thing.count, 1);
}

TEST(StringSequence, AssignmentCopiesIntoTheStringsThatAreThere) {
  StringSequence<> a, b;
  a.length(2);
  b.length(2);
  a[0] = "one";
  a[1] = "two";
  b[0] = "eins";
  const StringSequence<>& from = a;
  b = from;
  const char* const memory = from[1];
  EXPECT_STREQ(b[0].in(), "one");
  EXPECT_STREQ(b[1].in(), "two");
  EXPECT_NE(b[1].in(), memory);
  a.length(1);
  b = from;
  EXPECT_EQ(b.length(), 1u);
  EXPECT_STREQ(b[0].in(), "one");
}

TEST(ReferenceVar, OutReleasesAndRetnGivesAway) {
  Thing thing;
  Thing_var v = callis_duplicate(&thing);
  EXPECT_EQ(v.out(), nullptr);
  EXPECT_EQ(thing.count, 1);
  v = callis_duplicate(&thing);
  Thing* given = v._retn();
  EXPECT_EQ(thing.count, 2);
  callis_release(given);
}

}  // namespace
