// SPDX-License-Identifier: Apache-2.0
// What programs for other ORBs do although the mapping forbids it or leaves it open, and what becomes of it: a
// refusal of the compiler or an exception, where another ORB may go on and crash later.
#include "habits/habits.h"
#include <callis/corba.h>
#include <gtest/gtest.h>
#include <memory>

namespace {

template <class T>
concept CanBeInserted = requires(CORBA::Any& any, T value) { any <<= static_cast<T&&>(value); };

// An array would go as a pointer to its first element, which the Any would delete.
static_assert(!CanBeInserted<Habits::Items&>);
static_assert(!CanBeInserted<Habits::Numbers&>);
static_assert(CanBeInserted<Habits::Items_forany>);
static_assert(CanBeInserted<Habits::Item*>);
static_assert(CanBeInserted<const Habits::Item&>);
static_assert(CanBeInserted<Habits::ItemSeq*>);
static_assert(CanBeInserted<CORBA::LongSeq*>);
static_assert(CanBeInserted<CORBA::Any*>);
static_assert(CanBeInserted<const char*>);
static_assert(CanBeInserted<const char (&)[5]>);
static_assert(CanBeInserted<char (&)[64]>);

TEST(Habits, AnyTakesOverWhatNewMade) {
  CORBA::Any any;
  auto item = std::make_unique<Habits::Item>();
  item->name = "x";
  any <<= item.release();
  Habits::Item_var other = new Habits::Item;
  other->name = "y";
  const Habits::Item* found = nullptr;
  ASSERT_TRUE(any >>= found);
  EXPECT_STREQ(found->name, "x");
  any <<= other._retn();
  ASSERT_TRUE(any >>= found);
  EXPECT_STREQ(found->name, "y");
  const char text[] = "array";
  any <<= text;
  const char* string = nullptr;
  ASSERT_TRUE(any >>= string);
  EXPECT_STREQ(string, "array");
}

class OwnHeld final : public virtual OBV_Habits::Held, public virtual CORBA::DefaultValueRefCountBase {
 public:
  explicit OwnHeld(CORBA::Long n) {
    this->n(n);
    ++alive;
  }
  ~OwnHeld() override { --alive; }
  CORBA::ValueBase* _copy_value() override { return new OwnHeld(n()); }
  static inline int alive = 0;
};

// The Any takes the value over; the var must not release it again.
TEST(Habits, InsertingTheInoutOfAVarLeavesItNil) {
  {
    CORBA::Any any;
    Habits::Held_var held = new OwnHeld(3);
    any <<= &held.inout();
    EXPECT_EQ(held.in(), nullptr);
    Habits::Held* found = nullptr;
    ASSERT_TRUE(any >>= found);
    EXPECT_EQ(found->n(), 3);
  }
  EXPECT_EQ(OwnHeld::alive, 0);
}

TEST(Habits, SequencesReleaseNoBufferOfNew) {
  const auto longs = std::make_unique<CORBA::Long[]>(40);
  const auto items = std::make_unique<Habits::Item[]>(2);
  for (const CORBA::ULong n : {1u, 3u, 40u})
    EXPECT_THROW(Habits::Longs(n, n, longs.get(), true), CORBA::BAD_PARAM) << n;
  EXPECT_THROW(Habits::Few(2, longs.get(), true), CORBA::BAD_PARAM);
  EXPECT_THROW(Habits::ItemSeq(2, 2, items.get(), true), CORBA::BAD_PARAM);
  Habits::Longs all(3, 3, longs.get(), false);
  EXPECT_THROW(all.replace(3, 3, longs.get(), true), CORBA::BAD_PARAM);
  EXPECT_EQ(all.length(), 3u);
  EXPECT_NO_THROW(Habits::Longs(3, 3, Habits::Longs::allocbuf(8), true));
  EXPECT_NO_THROW(Habits::Longs(0, 0, nullptr, true));
  EXPECT_NO_THROW(Habits::ItemSeq(2, 1, Habits::ItemSeq::allocbuf(2), true));
}

TEST(Habits, NewUnionsHaveTheMemberOfZero) {
  Habits::Choice choice;
  EXPECT_EQ(choice._d(), 0);
  EXPECT_STREQ(choice.other().name, "");
  EXPECT_THROW(choice.text(), CORBA::BAD_PARAM);
  EXPECT_THROW(choice._d(1), CORBA::BAD_PARAM);
  choice.text("now");
  EXPECT_EQ(choice._d(), 1);
  const Habits::Painted painted;
  EXPECT_EQ(painted._d(), Habits::red);
  const Habits::Painted copy(painted);
  EXPECT_EQ(copy._d(), Habits::red);
}

}  // namespace
