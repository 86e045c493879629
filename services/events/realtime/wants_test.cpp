// SPDX-License-Identifier: Apache-2.0
#include <services/events/realtime/wants.h>
#include <services/events/realtime/testing/terms.h>
#include <gtest/gtest.h>
#include <limits>

namespace callis::events {
namespace {

using namespace testing;

Wants one(std::vector<Term> terms) { return {{{Group::Operator::And, std::move(terms)}}}; }

TEST(Wants, match_events_by_source_and_type_or_all_of_either) {
  const Header header{.source = 3, .type = 7};
  EXPECT_TRUE(event(3, 7).matches(header));
  EXPECT_TRUE(event(kAnySource, 7).matches(header));
  EXPECT_TRUE(event(3, kAnyType).matches(header));
  EXPECT_TRUE(event(kAnySource, kAnyType).matches(header));
  EXPECT_FALSE(event(3, 8).matches(header));
  EXPECT_FALSE(event(4, 7).matches(header));
  EXPECT_FALSE(every(5).matches(header));
}

TEST(Wants, are_taken_with_events_intervals_and_a_deadline) {
  EXPECT_EQ("", why_refused(one({event(3, 7)})));
  EXPECT_EQ("", why_refused(one({every(1)})));
  EXPECT_EQ("", why_refused(one({event(3, 7), every(20), within(50)})));
}

TEST(Wants, are_refused_in_words_that_say_where) {
  EXPECT_EQ("the consumer asks for nothing: it has no group of terms", why_refused({}));
  EXPECT_EQ("group 1: it has no terms", why_refused(one({})));
  EXPECT_EQ("group 1: a deadline needs an event or an interval beside it that it waits for",
            why_refused(one({within(5)})));
  EXPECT_EQ("group 1: it has 2 deadlines: the shortest is enough",
            why_refused(one({event(3, 7), within(5), within(6)})));
  EXPECT_EQ("group 1: term 2: its period is 0 ms, and must be 1 to 86400000 ms",
            why_refused(one({event(3, 7), every(0)})));
  EXPECT_NE("", why_refused(one({event(3, 7), every(std::numeric_limits<long>::max())})));
  EXPECT_NE("", why_refused(one({event(3, 7), every(-1)})));
  EXPECT_NE("", why_refused(one({event(kAnySource, kTimeout)})));
}

TEST(Wants, are_bounded) {
  const WantsLimits limits{.groups = 2, .terms = 3};
  EXPECT_EQ("", why_refused(one({3, event(3, 7)}), limits));
  EXPECT_EQ("group 1: its terms are 4, and may be 3", why_refused(one({4, event(3, 7)}), limits));
  Wants wants = one({event(3, 7)});
  wants.groups.resize(3, wants.groups[0]);
  EXPECT_EQ("the consumer's groups are 3, and may be 2", why_refused(wants, limits));
}

TEST(TypedEvent, is_forwarded_as_often_as_its_ttl_says) {
  Header header{.source = 3, .type = 7, .ttl = 2};
  const auto second = forwarded(header);
  ASSERT_TRUE(second);
  const auto third = forwarded(*second);
  ASSERT_TRUE(third);
  EXPECT_EQ(0u, third->ttl);
  EXPECT_EQ(header.source, third->source);
  EXPECT_FALSE(forwarded(*third));
}

TEST(TypedEvent, is_sent_with_a_source_and_a_type_of_its_own) {
  EXPECT_TRUE(may_be_sent({.source = 3, .type = 7}));
  EXPECT_FALSE(may_be_sent({.source = kAnySource, .type = 7}));
  EXPECT_FALSE(may_be_sent({.source = 3, .type = kAnyType}));
  EXPECT_FALSE(may_be_sent({.source = 3, .type = kTimeout}));
}

}  // namespace
}  // namespace callis::events
