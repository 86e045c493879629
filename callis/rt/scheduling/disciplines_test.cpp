// SPDX-License-Identifier: Apache-2.0
// Decisions of the supplied disciplines: by turns, with a clock that stands still or is driven.
#include <callis/rt/scheduling/testing/schedulers.h>

namespace callis::rt::scheduling::testing {
namespace {

using Names = std::vector<std::string>;

// The order in which ready threads run. They become ready in the order of the list, while another thread runs.
template <class S>
struct Order : Scheduled<S> {
  struct One {
    std::string name;
    CORBA::Policy_var parameter;
  };
  using Scheduled<S>::Scheduled;

  Names order_of(const std::vector<One>& all, const std::function<void()>& meanwhile = {}) {
    Log log;
    std::vector<std::thread> threads;
    this->current->begin_scheduling_segment("first", nullptr, nullptr);
    for (const One& one : all) {
      threads.push_back(this->in_segment(one.name, one.parameter.in(), [&log, one] { log.add(one.name); }));
      until([&] { return this->gate().ready() == threads.size(); });
    }
    if (meanwhile) meanwhile();
    this->current->end_scheduling_segment("first");
    for (std::thread& t : threads) t.join();
    return log.all();
  }
};

struct FixedPriority : Order<FP_Scheduling::Scheduler> {
  FixedPriority() : Order(&make_fixed_priority_scheduler) {}
  CORBA::Policy_var priority(CORBA::Short p) {
    return CORBA::Policy_var(scheduler->create_segment_scheduling_parameter({p}));
  }
};
struct EarliestDeadline : Order<EDF_Scheduling::Scheduler> {
  EarliestDeadline() : Order(&make_earliest_deadline_scheduler) {}
  CORBA::Policy_var due(Ticks at, CORBA::Long importance = 0) {
    return CORBA::Policy_var(deadline(scheduler.in(), at, importance));
  }
};
struct LeastLaxity : Order<LLF_Scheduling::Scheduler> {
  LeastLaxity() : Order(&make_least_laxity_scheduler) {}
  CORBA::Policy_var due(TimeBase::TimeT at, TimeBase::TimeT takes) {
    return CORBA::Policy_var(scheduler->create_scheduling_parameter({at, takes, 0}));
  }
};
struct MaximumUrgency : Order<MUF_Scheduling::Scheduler> {
  MaximumUrgency() : Order(&make_maximum_urgency_scheduler) {}
  CORBA::Policy_var urgency(CORBA::Long criticality, TimeBase::TimeT at, TimeBase::TimeT takes,
                            CORBA::Long importance) {
    return CORBA::Policy_var(scheduler->create_scheduling_parameter({criticality, at, takes, importance}));
  }
};

TEST_F(FixedPriority, runs_the_greatest_priority_first_and_equal_ones_in_the_order_of_their_coming) {
  EXPECT_EQ(order_of({{"low", priority(1)}, {"high", priority(300)}, {"middle", priority(7)}, {"too", priority(7)}}),
            (Names{"high", "middle", "too", "low"}));
}

TEST_F(FixedPriority, takes_priorities_from_0_to_32767) {
  EXPECT_EQ(outcome_of([&] { priority(-1); }), "BAD_PARAM 228 NO");
  EXPECT_EQ(outcome_of([&] { priority(32767); }), "ok");
  const FP_Scheduling::SegmentSchedulingParameterPolicy_var p = scheduler->create_segment_scheduling_parameter({1});
  p->value({-5});
  EXPECT_EQ(outcome_of([&] { current->begin_scheduling_segment("x", p.in(), nullptr); }), "BAD_PARAM 228 NO");
}

TEST_F(EarliestDeadline, runs_the_earliest_deadline_first_then_the_most_important_and_last_those_without) {
  EXPECT_EQ(order_of({{"none", due(0)}, {"late", due(9000)}, {"early", due(2000)}, {"past", due(10)},
                      {"important", due(2000, 5)}}),
            (Names{"past", "important", "early", "late", "none"}));
}

TEST_F(EarliestDeadline, refuses_deadlines_beyond_the_end_of_time) {
  const TimeBase::TimeT never = ~TimeBase::TimeT{0};
  EXPECT_EQ(outcome_of([&] { scheduler->create_scheduling_parameter({never, 0}); }), "BAD_PARAM 228 NO");
}

TEST_F(LeastLaxity, runs_first_what_can_wait_for_the_shortest_time) {
  EXPECT_EQ(order_of({{"short", due(2000, 100)}, {"long", due(5000, 3900)}, {"none", due(0, 0)}}),
            (Names{"long", "short", "none"}))
      << "laxities of 900, 100 and endless";
}

// a uses 600 before its turn is given up: it needs 600 less, and its laxity has not changed; b has waited, and has
// 600 less.
TEST_F(LeastLaxity, is_looked_at_anew_at_each_scheduling_point) {
  Log log;
  const CORBA::Policy_var a = due(5000, 3000), b = due(9000, 6500);  // laxities of 1000 and 1500
  current->begin_scheduling_segment("a", a.in(), nullptr);
  std::thread other = in_segment("b", b.in(), [&] { log.add("b"); });
  until([&] { return gate().ready() == 1; });
  current->update_scheduling_segment("a", nullptr, nullptr);
  log.add("a at 1000");
  time.advance(600);
  current->update_scheduling_segment("a", nullptr, nullptr);
  log.add("a at 1600");
  current->end_scheduling_segment("a");
  other.join();
  EXPECT_EQ(log.all(), (Names{"a at 1000", "b", "a at 1600"})) << "laxities of 1000 and 900";
}

TEST_F(LeastLaxity, of_what_takes_longer_than_expected_is_that_of_its_deadline) {
  const CORBA::Policy_var p = due(5000, 100);
  current->begin_scheduling_segment("a", p.in(), nullptr);
  time.advance(1000);
  EXPECT_EQ(gate().executed(ThreadPart::innermost()->entry()), 1000);
  current->end_scheduling_segment("a");
  EXPECT_EQ(state().discipline().urgency(*state().parameter_of(p.in()), {2000, 1000}).numbers[0], -3000);
}

TEST_F(MaximumUrgency, looks_at_criticality_then_laxity_then_importance) {
  EXPECT_EQ(order_of({{"lax", urgency(1, 9000, 100, 9)},
                      {"tight", urgency(1, 2000, 900, 0)},
                      {"tight and important", urgency(1, 2000, 900, 1)},
                      {"critical", urgency(2, 90000, 1, 0)},
                      {"uncritical", urgency(0, 1100, 100, 9)}}),
            (Names{"critical", "tight and important", "tight", "lax", "uncritical"}));
}

// A discipline of the application's: the shortest name of a policy that it shares with FP.
class Backwards final : public Discipline {
 public:
  struct Number final : Parameter {
    explicit Number(CORBA::Short v) : value(v) {}
    const CORBA::Short value;
  };
  const char* name() const override { return "backwards"; }
  ParameterPtr parameter_of(CORBA::Policy_ptr policy) const override {
    auto* const p = dynamic_cast<FP_Scheduling::SegmentSchedulingParameterPolicy*>(policy);
    return p ? std::make_shared<Number>(p->value().base_priority) : nullptr;
  }
  CORBA::Policy_ptr policy_of(const ParameterPtr&) const override { return nullptr; }
  ParameterPtr usual() const override { return std::make_shared<Number>(CORBA::Short{0}); }
  Urgency urgency(const Parameter& p, const Progress&) const override {
    return {{-static_cast<const Number&>(p).value, 0, 0}};
  }
  void write(const Parameter& p, cdr::Encoder& to) const override {
    to.put_ushort(static_cast<std::uint16_t>(static_cast<const Number&>(p).value));
  }
  ParameterPtr read(cdr::Decoder& from) const override {
    return std::make_shared<Number>(static_cast<CORBA::Short>(from.get_ushort()));
  }
};

struct OfTheApplication : Order<RTScheduling::Scheduler> {
  OfTheApplication()
      : Order(+[](const Options& o) -> RTScheduling::Scheduler* {
          return make_scheduler(std::make_unique<Backwards>(), o);
        }) {}
};

TEST_F(OfTheApplication, discipline_is_plugged_in) {
  const FP_Scheduling::Scheduler_var fp = make_fixed_priority_scheduler(by_turns(time));
  const auto p = [&](CORBA::Short n) { return CORBA::Policy_var(fp->create_segment_scheduling_parameter({n})); };
  EXPECT_EQ(order_of({{"3", p(3)}, {"1", p(1)}, {"2", p(2)}}), (Names{"1", "2", "3"}));
  const CORBA::String_var name = scheduler->scheduling_discipline_name();
  EXPECT_STREQ(name.in(), "backwards");
}

}  // namespace
}  // namespace callis::rt::scheduling::testing
