// SPDX-License-Identifier: Apache-2.0
// Events from suppliers to consumers through a router, also while consumers come and go.
#include <services/events/realtime/router.h>
#include <services/events/realtime/testing/terms.h>
#include <gtest/gtest.h>
#include <atomic>
#include <thread>

namespace callis::events {
namespace {

using namespace testing;

// Counts what it is given.
class Counting final : public EventSetTaker {
 public:
  void take(EventSet&& set) noexcept override {
    if (closed) after_the_end = true;
    ++sets;
    for (const TypedEvent& one : set.events) types.push_back(one.header.type);
  }
  std::atomic<int> sets{0};
  std::atomic<bool> closed{false}, after_the_end{false};
  std::vector<EventType> types;
};

TypedEvent of(SourceId source, EventType type) {
  TypedEvent made;
  made.header = {.source = source, .type = type};
  return made;
}
Wants any_of(std::vector<Term> terms) { return {{{Group::Operator::Or, std::move(terms)}}}; }
Wants all_of(std::vector<Term> terms) { return {{{Group::Operator::And, std::move(terms)}}}; }

struct Routed : ::testing::Test {
  ManualClock clock;
  Router router{clock};
  std::shared_ptr<Counting> first = std::make_shared<Counting>(), second = std::make_shared<Counting>();
};

TEST_F(Routed, events_reach_those_who_want_them) {
  router.add(any_of({event(3, 7)}), first);
  router.add(any_of({event(kAnySource, 8)}), second);
  EXPECT_EQ(1u, router.accept(of(3, 7)));
  EXPECT_EQ(1u, router.accept(of(3, 8)));
  EXPECT_EQ(0u, router.accept(of(4, 7)));
  EXPECT_EQ(std::vector<EventType>{7}, first->types);
  EXPECT_EQ(std::vector<EventType>{8}, second->types);
}

TEST_F(Routed, each_consumer_correlates_for_itself) {
  router.add(all_of({event(3, 7), event(3, 8)}), first);
  router.accept(of(3, 7));
  router.add(all_of({event(3, 7), event(3, 8)}), second);
  router.accept(of(3, 8));
  EXPECT_EQ((std::vector<EventType>{7, 8}), first->types);
  EXPECT_EQ(0, second->sets) << "it came after the first event";
}

TEST_F(Routed, suppliers_cannot_send_what_looks_like_a_timeout) {
  router.add(any_of({event(kAnySource, kAnyType)}), first);
  EXPECT_EQ(0u, router.accept(of(3, kTimeout)));
  EXPECT_EQ(0u, router.accept(of(kAnySource, 7)));
  EXPECT_EQ(0, first->sets);
}

TEST_F(Routed, timeouts_are_told_when_they_are_due_and_only_those_who_asked) {
  router.add(any_of({every(100)}), first);
  router.add(any_of({event(3, 7)}), second);
  EXPECT_EQ(clock.now() + std::chrono::milliseconds(100), router.expire());
  EXPECT_EQ(0, first->sets);
  clock.advance(std::chrono::milliseconds(100));
  router.expire();
  EXPECT_EQ(std::vector<EventType>{kTimeout}, first->types);
  EXPECT_EQ(0, second->sets);
}

TEST_F(Routed, consumers_that_have_gone_are_forgotten_with_what_they_wanted) {
  const ConsumerNumber number = router.add(any_of({event(3, 7), every(100)}), first);
  EXPECT_EQ(1u, router.interests().size());
  EXPECT_TRUE(router.remove(number));
  EXPECT_FALSE(router.remove(number));
  EXPECT_EQ(0u, router.accept(of(3, 7)));
  EXPECT_EQ(TimePoint::max(), router.expire());
  EXPECT_TRUE(router.interests().empty());
  EXPECT_EQ(0u, router.consumers());
  EXPECT_EQ(1, first.use_count()) << "the router holds it no more";
}

TEST(Router, does_not_call_a_consumer_that_was_removed_while_suppliers_send) {
  Router router(Clock::steady());
  std::atomic<bool> stop{false};
  std::vector<std::thread> suppliers;
  for (int i = 0; i < 2; ++i) {
    suppliers.emplace_back([&] {
      while (!stop) router.accept(of(3, 7));
    });
  }
  std::vector<std::shared_ptr<Counting>> gone;
  for (int round = 0; round < 50; ++round) {
    const auto taker = std::make_shared<Counting>();
    const ConsumerNumber number = router.add(any_of({event(3, 7)}), taker);
    while (taker->sets == 0) std::this_thread::yield();
    router.remove(number);
    taker->closed = true;
    gone.push_back(taker);
  }
  stop = true;
  for (std::thread& one : suppliers) one.join();
  for (const auto& taker : gone) EXPECT_FALSE(taker->after_the_end);
}

TEST_F(Routed, a_consumer_gets_what_it_wants_now) {
  const ConsumerNumber number = router.add(any_of({event(3, 7)}), first);
  EXPECT_TRUE(router.change(number, any_of({event(3, 8), every(10)})));
  EXPECT_EQ(0u, router.accept(of(3, 7)));
  EXPECT_EQ(1u, router.accept(of(3, 8)));
  clock.advance(Duration(10));
  EXPECT_EQ(clock.now() + Duration(10), router.expire());
  EXPECT_EQ((std::vector<EventType>{8, kTimeout}), first->types);
  EXPECT_TRUE(router.change(number, any_of({event(3, 8)})));
  EXPECT_EQ(TimePoint::max(), router.expire()) << "nothing is timed any more";
  EXPECT_TRUE(router.remove(number));
  EXPECT_FALSE(router.change(number, any_of({event(3, 8)})));
}

}  // namespace
}  // namespace callis::events
