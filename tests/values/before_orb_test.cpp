// SPDX-License-Identifier: Apache-2.0
// Anys, values and local objects of static variables, and in programs that never call ORB_init: nothing in the
// mapping says that an ORB comes first.
#include <callis/corba.h>
#include <gtest/gtest.h>
#include "before_orb.h"

namespace {

class ValueImpl final : public virtual OBV_B::Value, public virtual CORBA::DefaultValueRefCountBase {};

struct LocalImpl final : virtual B::Here, virtual CORBA::LocalObject {
  explicit LocalImpl(int& alive_now) : alive(alive_now) { ++alive; }
  ~LocalImpl() override { --alive; }
  int& alive;
};

CORBA::Any filled() {
  CORBA::Any number, all;
  number <<= CORBA::Long{7};
  ValueImpl* const value = new ValueImpl;
  value->number(8);
  B::All a;
  a.item = number;
  a.held = value;
  a.choice = B::Either::_nil();
  a.type = CORBA::TypeCode::_duplicate(CORBA::_tc_long);
  all <<= a;
  return all;
}

// Initialised before what the libraries initialise, which come later in the link.
const CORBA::Any before_main = filled();

void expect_filled(const CORBA::Any& any) {
  const B::All* all = nullptr;
  ASSERT_TRUE(any >>= all);
  CORBA::Long number = 0;
  EXPECT_TRUE(all->item >>= number);
  EXPECT_EQ(number, 7);
  ASSERT_TRUE(all->held.in());
  EXPECT_EQ(all->held->number(), 8);
  EXPECT_TRUE(all->type->equal(CORBA::_tc_long));
  EXPECT_TRUE(CORBA::is_nil(all->origin.in()));
}

TEST(BeforeAnOrb, AnysOfStaticVariablesHoldWhatTheyAreGiven) { expect_filled(before_main); }

TEST(BeforeAnOrb, AnysHoldReferencesAndValues) {
  const CORBA::Any one = filled(), other = one;
  expect_filled(other);
}

TEST(BeforeAnOrb, SequencesReleaseLocalObjects) {
  int alive = 0;
  {
    B::Locals locals;
    locals.length(2);
    locals[0] = new LocalImpl(alive);
    locals[1] = B::Here::_duplicate(locals[0].in());
    const B::Locals copy = locals;
    EXPECT_EQ(alive, 1);
  }
  EXPECT_EQ(alive, 0);
}

}  // namespace
