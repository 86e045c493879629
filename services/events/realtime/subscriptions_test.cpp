// SPDX-License-Identifier: Apache-2.0
// The consumers found for an event, and the interests that gateways are told.
#include <services/events/realtime/subscriptions.h>
#include <services/events/realtime/testing/terms.h>
#include <gtest/gtest.h>
#include <random>

namespace callis::events {
namespace {

using namespace testing;
using Interest = Subscriptions::Interest;
using Numbers = std::vector<ConsumerNumber>;

Wants wants(std::vector<Term> terms) { return {{{Group::Operator::Or, std::move(terms)}}}; }

Numbers found(const Subscriptions& subscriptions, SourceId source, EventType type) {
  Numbers out{99};
  subscriptions.find({.source = source, .type = type}, out);
  EXPECT_EQ(out.empty(), subscriptions.nobody_wants({.source = source, .type = type}));
  return out;
}

TEST(Subscriptions, find_those_who_want_a_source_a_type_both_or_all_each_once) {
  Subscriptions all;
  all.set(5, wants({event(kAnySource, kAnyType), event(3, 7)}));
  all.set(1, wants({event(3, 7)}));
  all.set(2, wants({event(3, kAnyType)}));
  all.set(3, wants({event(kAnySource, 7)}));
  EXPECT_EQ((Numbers{1, 2, 3, 5}), found(all, 3, 7));
  EXPECT_EQ((Numbers{2, 5}), found(all, 3, 8));
  EXPECT_EQ((Numbers{3, 5}), found(all, 4, 7));
  EXPECT_EQ((Numbers{5}), found(all, 4, 8));
}

TEST(Subscriptions, forget_those_who_go_and_what_they_wanted_before) {
  Subscriptions all;
  all.set(1, wants({event(3, 7)}));
  all.set(1, wants({event(3, 8)}));
  EXPECT_EQ(Numbers{}, found(all, 3, 7));
  EXPECT_EQ(Numbers{1}, found(all, 3, 8));
  all.remove(1);
  all.remove(1);
  EXPECT_EQ(Numbers{}, found(all, 3, 8));
  EXPECT_EQ(0u, all.size());
  EXPECT_TRUE(all.interests().empty());
}

TEST(Subscriptions, tell_gateways_what_all_want_together_without_what_is_included) {
  Subscriptions all;
  all.set(1, wants({event(3, 7), event(3, 8), event(4, 8), event(2, 1)}));
  EXPECT_EQ((std::vector<Interest>{{2, 1}, {3, 7}, {3, 8}, {4, 8}}), all.interests());
  all.set(2, wants({event(3, kAnyType), event(kAnySource, 8)}));
  EXPECT_EQ((std::vector<Interest>{{kAnySource, 8}, {2, 1}, {3, kAnyType}}), all.interests());
  all.set(3, wants({event(kAnySource, kAnyType)}));
  EXPECT_EQ((std::vector<Interest>{{kAnySource, kAnyType}}), all.interests());
  all.remove(3);
  all.remove(2);
  EXPECT_EQ((std::vector<Interest>{{2, 1}, {3, 7}, {3, 8}, {4, 8}}), all.interests());
}

TEST(Subscriptions, have_a_new_revision_only_when_what_is_wanted_changes) {
  Subscriptions all;
  const auto before = all.revision();
  all.set(1, wants({event(3, 7)}));
  const auto first = all.revision();
  EXPECT_NE(before, first);
  all.set(2, wants({event(3, 7)}));
  all.remove(1);
  EXPECT_EQ(first, all.revision()) << "another wants the same";
  all.remove(2);
  EXPECT_NE(first, all.revision());
}

TEST(Subscriptions, tell_gateways_what_has_reach_and_the_greatest_there_is) {
  const auto reaching = [](Term term, std::uint32_t reach) {
    term.reach = reach;
    return wants({term});
  };
  Subscriptions all;
  all.set(1, reaching(event(3, 7), 1));
  const auto before = all.revision();
  all.set(2, reaching(event(3, 7), 4));
  EXPECT_NE(before, all.revision());
  all.set(3, reaching(event(3, kAnyType), 2));
  all.set(4, reaching(event(5, 5), 0));
  all.set(5, reaching(event(3, 8), 2));
  EXPECT_EQ((std::vector<Interest>{{3, kAnyType, 2}, {3, 7, 4}}), all.interests()) << "8 is among all types of 3";
  EXPECT_EQ((std::vector<Interest>{{3, 7, 1}, {3, 8, 2}}), all.interests({2, 3}));
  EXPECT_EQ((Numbers{4}), found(all, 5, 5)) << "who has no reach is a consumer like others";
}

// As consumers come and go, find() agrees with asking every term of every consumer.
TEST(Subscriptions, agree_with_the_terms_of_all_consumers) {
  std::mt19937 random(21);
  const auto small = [&random] { return static_cast<std::uint32_t>(random() % 4); };  // 0: all
  Subscriptions all;
  std::map<ConsumerNumber, Wants> model;
  for (int step = 0; step < 2'000; ++step) {
    const ConsumerNumber consumer = random() % 20;
    if (random() % 3 == 0) {
      all.remove(consumer);
      model.erase(consumer);
    } else {
      std::vector<Term> terms;
      for (std::uint32_t n = 1 + small(); n > 0; --n) terms.push_back(event(small(), small()));
      model[consumer] = wants(std::move(terms));
      all.set(consumer, model[consumer]);
    }
    const Header header{.source = 1 + small(), .type = 1 + small()};
    Numbers expected;
    for (const auto& [number, its] : model) {
      for (const Term& term : its.groups[0].terms) {
        if (!term.matches(header)) continue;
        expected.push_back(number);
        break;
      }
    }
    ASSERT_EQ(expected, found(all, header.source, header.type)) << "step " << step;
    bool wanted = false;
    for (const Interest& one : all.interests()) wanted = wanted || event(one.source, one.type).matches(header);
    ASSERT_EQ(!expected.empty(), wanted) << "step " << step;
  }
}

}  // namespace
}  // namespace callis::events
