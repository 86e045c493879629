// SPDX-License-Identifier: Apache-2.0
// The events that a consumer gets, and their times, by a clock of the test's.
#include <services/events/realtime/correlation.h>
#include <services/events/realtime/testing/terms.h>
#include <gtest/gtest.h>
#include <string>

namespace callis::events {
namespace {

using namespace testing;
using std::chrono::milliseconds;
using Operator = Group::Operator;

// A consumer with a clock of its own; what it gets is told as "source.type source.type", "t" for a timeout, "late: "
// before what came after a deadline, and " | " between sets.
class Consumer {
 public:
  explicit Consumer(std::vector<Group> groups) : correlation_(Wants{std::move(groups)}, clock_.now()) {}

  std::string send(SourceId source, EventType type) {
    TypedEvent sent;
    sent.header = {.source = source, .type = type};
    sent.data = std::make_shared<int>(0);
    last_ = sent.data;
    std::vector<EventSet> out;
    correlation_.accept(sent, clock_.now(), out);
    return told(out);
  }
  std::string after(int ms) {
    clock_.advance(milliseconds(ms));
    std::vector<EventSet> out;
    correlation_.expire(clock_.now(), out);
    return told(out);
  }
  // The time in ms from now; -1 means never.
  long next() const {
    const TimePoint next = correlation_.next_timeout();
    if (next == TimePoint::max()) return -1;
    return static_cast<long>(std::chrono::duration_cast<milliseconds>(next - clock_.now()).count());
  }
  void advance(int ms) { clock_.advance(milliseconds(ms)); }
  bool holds_the_last() const { return !last_.expired(); }

 private:
  static std::string told(const std::vector<EventSet>& sets) {
    std::string all;
    for (const EventSet& set : sets) {
      if (!all.empty()) all += " | ";
      if (set.late) all += "late:";
      for (const TypedEvent& one : set.events) {
        if (!all.empty() && all.back() != ' ') all += ' ';
        const Header& header = one.header;
        all += header.type == kTimeout ? "t" : std::to_string(header.source) + "." + std::to_string(header.type);
      }
    }
    return all;
  }

  ManualClock clock_;
  Correlation correlation_;
  std::weak_ptr<const void> last_;
};

TEST(Correlation, or_delivers_each_event_that_a_term_matches_by_itself) {
  Consumer consumer({{Operator::Or, {event(3, 7), event(kAnySource, 9)}}});
  EXPECT_EQ("3.7", consumer.send(3, 7));
  EXPECT_EQ("5.9", consumer.send(5, 9));
  EXPECT_EQ("", consumer.send(4, 7));
  EXPECT_EQ("3.9", consumer.send(3, 9));
  EXPECT_EQ(-1, consumer.next());
}

TEST(Correlation, or_delivers_an_event_once_although_several_terms_match) {
  Consumer consumer({{Operator::Or, {event(3, 7), event(3, kAnyType), event(kAnySource, kAnyType)}}});
  EXPECT_EQ("3.7", consumer.send(3, 7));
}

TEST(Correlation, and_delivers_when_all_terms_have_an_event_in_the_order_of_its_terms) {
  Consumer consumer({{Operator::And, {event(1, 7), event(2, 7), event(3, 7)}}});
  EXPECT_EQ("", consumer.send(3, 7));
  EXPECT_EQ("", consumer.send(1, 7));
  EXPECT_EQ("1.7 2.7 3.7", consumer.send(2, 7));
  EXPECT_EQ("", consumer.send(2, 7)) << "it begins anew";
}

TEST(Correlation, and_keeps_the_newest_event_of_each_term_alone) {
  Consumer consumer({{Operator::And, {event(kAnySource, 7), event(2, 8)}}});
  EXPECT_EQ("", consumer.send(1, 7));
  EXPECT_EQ("", consumer.send(5, 7));
  EXPECT_EQ("5.7 2.8", consumer.send(2, 8));
  EXPECT_FALSE(consumer.holds_the_last()) << "what was delivered is not kept";
}

TEST(Correlation, holds_nothing_of_events_that_no_term_matches) {
  Consumer consumer({{Operator::And, {event(1, 7), event(2, 7)}}});
  consumer.send(9, 9);
  EXPECT_FALSE(consumer.holds_the_last());
  consumer.send(1, 7);
  EXPECT_TRUE(consumer.holds_the_last());
}

TEST(Correlation, groups_are_independent) {
  Consumer consumer({{Operator::Or, {event(1, 7)}}, {Operator::And, {event(1, 7), event(2, 7)}}});
  EXPECT_EQ("1.7", consumer.send(1, 7));
  EXPECT_EQ("1.7 2.7", consumer.send(2, 7));
  EXPECT_EQ("1.7", consumer.send(1, 7));
}

TEST(Correlation, an_interval_of_an_or_is_told_at_the_end_of_each_period) {
  Consumer consumer({{Operator::Or, {event(1, 7), every(100)}}});
  EXPECT_EQ(100, consumer.next());
  EXPECT_EQ("", consumer.after(99));
  EXPECT_EQ("t", consumer.after(1));
  EXPECT_EQ("1.7", consumer.send(1, 7));
  EXPECT_EQ(100, consumer.next()) << "events do not move it";
}

TEST(Correlation, an_interval_that_was_missed_counts_once_and_does_not_drift) {
  Consumer consumer({{Operator::Or, {every(100)}}});
  EXPECT_EQ("t", consumer.after(530));
  EXPECT_EQ(70, consumer.next());
  EXPECT_EQ("t", consumer.after(70));
}

TEST(Correlation, an_interval_of_an_and_delivers_so_often_at_most) {
  Consumer consumer({{Operator::And, {event(1, 7), every(100)}}});
  EXPECT_EQ("", consumer.send(1, 7));
  EXPECT_EQ("1.7 t", consumer.after(100));
  EXPECT_EQ("", consumer.after(100)) << "no event came";
  EXPECT_EQ("1.7 t", consumer.send(1, 7)) << "the period has ended before";
  EXPECT_EQ("", consumer.send(1, 7));
}

TEST(Correlation, a_deadline_of_an_and_delivers_what_there_is_and_begins_anew) {
  Consumer consumer({{Operator::And, {event(1, 7), event(2, 7), within(50)}}});
  EXPECT_EQ("", consumer.send(2, 7));
  EXPECT_EQ("late: 2.7 t", consumer.after(50));
  EXPECT_EQ("", consumer.send(1, 7));
  EXPECT_EQ("1.7 2.7", consumer.send(2, 7));
}

TEST(Correlation, a_deadline_is_counted_from_the_last_delivery) {
  Consumer consumer({{Operator::Or, {event(1, 7), within(50)}}});
  EXPECT_EQ("", consumer.after(40));
  EXPECT_EQ("1.7", consumer.send(1, 7));
  EXPECT_EQ(50, consumer.next());
  EXPECT_EQ("", consumer.after(49));
  EXPECT_EQ("late: t", consumer.after(1));
  EXPECT_EQ("late: t", consumer.after(500)) << "once, however long it was";
}

TEST(Correlation, a_deadline_that_passed_is_told_before_the_event_that_came_after_it) {
  Consumer consumer({{Operator::Or, {event(1, 7), within(50)}}});
  consumer.advance(60);
  EXPECT_EQ("late: t | 1.7", consumer.send(1, 7));
}

}  // namespace
}  // namespace callis::events
