// SPDX-License-Identifier: Apache-2.0
// Rates through dependencies, priorities, lanes, and response times that textbooks have.
#include <services/scheduling/demand.h>
#include <services/scheduling/testing/models.h>

namespace callis::scheduling::testing {
namespace {

// "10ms*2 20ms": period and executions of each stream of its own.
std::string rates(const Schedule& s, const Model& model, const char* name) {
  std::string out;
  for (const std::size_t at : s.streams.of[model.at(name)]) {
    const Stream& stream = s.streams.streams[at];
    out += (out.empty() ? "" : " ") + std::to_string(stream.period.count() / 1'000'000) + "ms*" +
           std::to_string(stream.executions) + (stream.inside ? " inside" : "");
  }
  return out;
}

Time response(const Schedule& s, const Model& model, const char* name) {
  return s.infos[model.at(name)].response.value_or(Time(-1));
}

TEST(Rates, ArePassedOnThroughOneWayCalls) {
  Model model;
  model.add(periodic("clock", milliseconds(25), milliseconds(1)));
  model.add(passive("track", milliseconds(1)));
  model.add(passive("show", milliseconds(1)));
  calls(model, "clock", "track", kOneWay);
  calls(model, "track", "show", kOneWay, 3);
  const Schedule s = compute(model);
  EXPECT_EQ(rates(s, model, "track"), "25ms*1");
  EXPECT_EQ(rates(s, model, "show"), "25ms*3");
  EXPECT_DOUBLE_EQ(s.utilisation, 5.0 / 25);
}

TEST(Rates, OfSeveralCallersAddUp) {
  Model model;
  model.add(periodic("fast", milliseconds(10), milliseconds(1)));
  model.add(periodic("slow", milliseconds(20), milliseconds(1)));
  model.add(periodic("slow2", milliseconds(20), milliseconds(1)));
  model.add(passive("any", Time(0), InfoKind::Or));
  model.add(passive("work", milliseconds(1)));
  for (const char* from : {"fast", "slow", "slow2"}) calls(model, from, "any", kOneWay);
  calls(model, "any", "work", kOneWay);
  const Schedule s = compute(model);
  EXPECT_EQ(rates(s, model, "work"), "10ms*1 20ms*2");
  EXPECT_EQ(s.infos[model.at("work")].lane, s.infos[model.at("fast")].lane) << "the shortest period counts";
  EXPECT_EQ(s.infos[model.at("any")].lane, kNoLevel);
}

TEST(Rates, OfAnAndAreThoseOfItsSlowestCaller) {
  Model model;
  model.add(periodic("fast", milliseconds(10), milliseconds(1)));
  model.add(periodic("slow", milliseconds(20), milliseconds(1)));
  model.add(passive("both", milliseconds(1), InfoKind::And));
  calls(model, "fast", "both", kOneWay, 3);
  calls(model, "slow", "both", kOneWay);
  EXPECT_EQ(rates(compute(model), model, "both"), "20ms*1");
  model.add(passive("idle", milliseconds(1)));
  calls(model, "idle", "both", kOneWay);
  EXPECT_EQ(rates(compute(model), model, "both"), "") << "it waits for what never comes";
}

TEST(Rates, TwoWayCallsArePartOfTheirCaller) {
  Model model;
  model.add(periodic("loop", milliseconds(20), milliseconds(2)));
  model.add(passive("read", milliseconds(1)));
  model.add(passive("bus", milliseconds(3)));
  model.add(passive("log", milliseconds(1)));
  calls(model, "loop", "read", kTwoWay, 2);
  calls(model, "read", "bus", kTwoWay);
  calls(model, "read", "log", kOneWay);
  const Schedule s = compute(model);
  EXPECT_EQ(s.streams.execution[model.at("loop")], milliseconds(2 + 2 * (1 + 3)));
  EXPECT_EQ(rates(s, model, "bus"), "20ms*2 inside");
  EXPECT_EQ(rates(s, model, "log"), "20ms*2");
  EXPECT_TRUE(s.infos[model.at("bus")].inside);
  EXPECT_EQ(priority_of(s, model.at("bus")), priority_of(s, model.at("loop")));
  EXPECT_EQ(response(s, model, "loop"), milliseconds(12)) << "log is in its lane";
  EXPECT_EQ(s.lanes.back().static_threads, 3u) << "two levels of calls below";
  EXPECT_DOUBLE_EQ(s.utilisation, 12.0 / 20);
}

TEST(Rates, APeriodOfItsOwnStays) {
  Model model;
  model.add(periodic("a", milliseconds(10), milliseconds(1)));
  model.add(periodic("b", milliseconds(40), milliseconds(1)));
  calls(model, "a", "b", kOneWay);
  EXPECT_EQ(rates(compute(model), model, "b"), "40ms*1");
}

TEST(Rates, CyclesAreRefusedWithTheirPath) {
  Model model;
  for (const char* name : {"in", "a", "b", "c", "out"}) model.add(periodic(name, milliseconds(10), milliseconds(1)));
  calls(model, "in", "a", kTwoWay);
  calls(model, "a", "b", kTwoWay);
  calls(model, "b", "c", kOneWay);
  calls(model, "c", "a", kTwoWay);
  calls(model, "c", "out", kTwoWay);
  try {
    (void)compute(model);
    ADD_FAILURE();
  } catch (const Refused& r) {
    EXPECT_EQ(r.kind(), Refused::Kind::Cycle);
    EXPECT_NE(std::string(r.what()).find("'a' calls 'b' calls 'c' calls 'a'"), std::string::npos) << r.what();
  }
}

TEST(Rates, ALongCycleIsToldInShort) {
  Model model;
  for (int i = 0; i < 5000; ++i) model.add(passive("node" + std::to_string(i), milliseconds(1)));
  for (Index i = 0; i < 5000; ++i) model.add({i, (i + 1) % 5000, kOneWay, 1});
  const std::string why = refusal([&] { (void)compute(model); });
  EXPECT_LT(why.size(), 2500u);
  EXPECT_NE(why.find("more)"), std::string::npos) << why;
}

TEST(Rates, AnOperationNeedsAnExecutionTime) {
  Model model;
  model.add(periodic("a", milliseconds(10), Time(0)));
  EXPECT_NE(refusal([&] { (void)compute(model); }).find("'a' has no worst-case execution time"), std::string::npos);
}

TEST(Rates, TheirNumberIsBounded) {
  Bounds bounds;
  bounds.streams = 150;
  Model model(bounds);
  for (int i = 0; i < 100; ++i) model.add(periodic("p" + std::to_string(i), milliseconds(10 + i), microseconds(1)));
  model.add(passive("sink", microseconds(1)));
  for (Index i = 0; i < 100; ++i) model.add({i, 100, kOneWay, 1});
  EXPECT_NE(refusal([&] { (void)compute(model); }).find("'sink' inherits one more than the 150 pairs"),
            std::string::npos);
}

TEST(Rates, WhatAndsWaitForIsBounded) {
  Bounds bounds;
  bounds.streams = 2000;
  Model model(bounds);
  constexpr Index kClocks = 30, kAnds = 60;
  for (Index i = 0; i < kClocks; ++i)
    model.add(periodic("p" + std::to_string(i), milliseconds(10 + i), microseconds(1)));
  for (Index a = 0; a < kAnds; ++a) {
    model.add(passive("any" + std::to_string(a), Time(0), InfoKind::Or));
    const Index any = kClocks + a;
    for (Index i = 0; i < kClocks; ++i) model.add({i, any, kOneWay, 1});
  }
  for (Index a = 0; a < 6; ++a) {
    model.add(passive("all" + std::to_string(a), Time(0), InfoKind::And));
    for (Index i = 0; i < kAnds; ++i) model.add({kClocks + i, kClocks + kAnds + a, kOneWay, 1});
  }
  EXPECT_NE(refusal([&] { (void)compute(model); }).find("waits for too many callers"), std::string::npos);
}

TEST(Rates, EnormousProductsDoNotOverflow) {
  Model model;
  model.add(periodic("n0", kLongestTime, Time(1)));
  for (int i = 1; i < 20; ++i) {
    model.add(passive("n" + std::to_string(i), kLongestTime));
    model.add({static_cast<Index>(i - 1), static_cast<Index>(i), i % 2 ? kTwoWay : kOneWay, 1'000'000});
  }
  const Schedule s = compute(model);
  EXPECT_FALSE(s.schedulable);
  EXPECT_EQ(s.infos[0].verdict, Verdict::Overloaded);
}

TEST(Levels, RateMonotonicByPeriodDeadlineMonotonicByDeadline) {
  Model model;
  model.add(periodic("fast", milliseconds(10), milliseconds(1)));
  model.add(periodic("urgent", milliseconds(50), milliseconds(1), milliseconds(5)));
  model.add(periodic("slow", milliseconds(100), milliseconds(1)));
  const Schedule rate = compute(model);
  EXPECT_EQ(priority_of(rate, 0), 89);
  EXPECT_EQ(priority_of(rate, 1), 44);
  EXPECT_EQ(priority_of(rate, 2), 0);
  const Schedule deadline = compute(model, {.policy = Policy::DeadlineMonotonic});
  EXPECT_GT(priority_of(deadline, 1), priority_of(deadline, 0));
}

TEST(Levels, ImportanceBreaksTies) {
  Model model;
  for (const char* name : {"a", "b", "c"}) model.add(periodic(name, milliseconds(10), milliseconds(1)));
  RtInfo b = model.infos()[1];
  b.importance = Importance::VeryHigh;
  model.change(1, b);
  const Schedule shared = compute(model);
  EXPECT_EQ(shared.lanes.size(), 2u);
  EXPECT_GT(priority_of(shared, 1), priority_of(shared, 0));
  EXPECT_EQ(priority_of(shared, 0), priority_of(shared, 2));
  const Schedule each = compute(model, {.sharing = Sharing::Each, .least_priority = 1, .greatest_priority = 3});
  EXPECT_EQ(priority_of(each, 1), 3);
  EXPECT_EQ(priority_of(each, 0), 2);
  EXPECT_EQ(priority_of(each, 2), 1);
}

TEST(Levels, SharesLanesWhenThereAreNotEnough) {
  Model model;
  for (int i = 0; i < 10; ++i) model.add(periodic("p" + std::to_string(i), milliseconds(10 << i), milliseconds(1)));
  const Schedule s = compute(model, {.most_lanes = 4});
  EXPECT_EQ(s.lanes.size(), 4u);
  EXPECT_EQ(s.levels, 10u);
  EXPECT_FALSE(s.bounds.apply);
  ASSERT_FALSE(s.notes.empty());
  EXPECT_NE(s.notes[0].find("10 levels share 4 lanes"), std::string::npos);
  for (Index i = 1; i < 10; ++i) EXPECT_LE(priority_of(s, i), priority_of(s, i - 1));
  EXPECT_EQ(compute(model, {.least_priority = 7, .greatest_priority = 9}).lanes.size(), 3u);
}

TEST(Levels, BackgroundIsLowest) {
  Model model;
  model.add(passive("idle", milliseconds(50)));
  model.add(passive("sweep", milliseconds(50)));
  model.add(periodic("a", milliseconds(10), milliseconds(9)));
  const Schedule s = compute(model);
  ASSERT_EQ(s.lanes.size(), 2u);
  EXPECT_TRUE(s.lanes[0].background);
  EXPECT_EQ(s.lanes[0].infos.size(), 2u);
  EXPECT_TRUE(s.schedulable);
  EXPECT_TRUE(s.infos[0].background);
}

TEST(Levels, RefusesPrioritiesThatCannotBe) {
  const Model model;
  EXPECT_NE(refusal([&] { (void)compute(model, {.least_priority = -1}); }), "");
  EXPECT_NE(refusal([&] { (void)compute(model, {.greatest_priority = 32768}); }), "");
  EXPECT_NE(refusal([&] { (void)compute(model, {.least_priority = 5, .greatest_priority = 4}); }), "");
  EXPECT_NE(refusal([&] { (void)compute(model, {.most_lanes = 0}); }), "");
  EXPECT_TRUE(compute(model).schedulable);
}

TEST(Demand, IsTheSumOfAllCeilings) {
  Random random(25);
  for (int round = 0; round < 300; ++round) {
    struct Part {
      std::int64_t period, jitter, cost;
    };
    std::vector<Part> all;
    Demand demand;
    for (std::int64_t n = random.between(1, 20); n > 0; --n) {
      const Part part{random.between(1, 6) * 10, random.one_in(3) ? 0 : random.between(0, 200), random.between(1, 9)};
      all.push_back(part);
      demand.add(part.period, part.jitter, part.cost);
      if (random.one_in(3)) demand.settle();
    }
    demand.settle();
    for (std::int64_t window = 1; window < 150; ++window) {
      std::int64_t sum = 0;
      for (const Part& part : all) sum += part.cost * ((window + part.jitter + part.period - 1) / part.period);
      ASSERT_EQ(demand.of(window), sum) << window;
    }
  }
}

TEST(Demand, EndsAtNever) {
  Demand demand;
  demand.add(1, kNever, kNever);
  demand.add(1, 0, kNever);
  demand.settle();
  EXPECT_EQ(demand.of(kNever), kNever);
  EXPECT_EQ(plus(kNever, kNever), kNever);
  EXPECT_EQ(times(kNever, kNever), kNever);
  EXPECT_EQ(parts(kNever, 1), kNever);
}

TEST(Responses, OfIndependentOperations) {
  // Joseph and Pandya's recurrence by hand: 3; 3 + 3 = 6; 5 + 3*2 ... = 20.
  Model model;
  model.add(periodic("a", milliseconds(7), milliseconds(3)));
  model.add(periodic("b", milliseconds(12), milliseconds(3)));
  model.add(periodic("c", milliseconds(20), milliseconds(5)));
  const Schedule s = compute(model);
  EXPECT_EQ(response(s, model, "a"), milliseconds(3));
  EXPECT_EQ(response(s, model, "b"), milliseconds(6));
  EXPECT_EQ(response(s, model, "c"), milliseconds(20));
  EXPECT_TRUE(s.schedulable);
  EXPECT_TRUE(s.bounds.apply);
  EXPECT_FALSE(s.bounds.meets_liu_layland);
  EXPECT_FALSE(s.bounds.meets_hyperbolic);
  model.change(2, periodic("c", milliseconds(20), milliseconds(5) + Time(1)));
  EXPECT_FALSE(compute(model).schedulable);
}

TEST(Responses, WithDeadlinesBeyondThePeriod) {
  // Lehoczky 1990: the fifth job is the latest.
  Model model;
  model.add(periodic("a", Time(70), Time(26)));
  model.add(periodic("b", Time(100), Time(62), Time(118)));
  EXPECT_EQ(response(compute(model), model, "b"), Time(118));
  EXPECT_TRUE(compute(model).schedulable);
  model.change(1, periodic("b", Time(100), Time(62), Time(117)));
  const Schedule s = compute(model);
  EXPECT_FALSE(s.schedulable);
  EXPECT_EQ(s.infos[1].verdict, Verdict::Exceeds);
}

TEST(Responses, WithBlockingByLocks) {
  Model model;
  RtInfo high = periodic("high", milliseconds(10), milliseconds(2)),
         middle = periodic("middle", milliseconds(20), milliseconds(4)),
         low = periodic("low", milliseconds(50), milliseconds(9));
  high.locks = {{"map", milliseconds(1)}};
  low.locks = {{"map", milliseconds(3)}, {"file", milliseconds(8)}};
  model.add(high);
  model.add(middle);
  model.add(low);
  const Schedule s = compute(model);
  EXPECT_EQ(response(s, model, "high"), milliseconds(5)) << "low may have the map";
  EXPECT_EQ(response(s, model, "middle"), milliseconds(9)) << "low inherits high's priority";
  EXPECT_EQ(response(s, model, "low"), milliseconds(17));
  EXPECT_FALSE(s.bounds.apply);
}

TEST(Responses, LocksOfWhatRunsInsideOthersCountForTheirCallers) {
  Model model;
  model.add(periodic("high", milliseconds(10), milliseconds(2)));
  model.add(periodic("low", milliseconds(50), milliseconds(9)));
  RtInfo table = passive("table", milliseconds(2));
  table.locks = {{"table", milliseconds(1)}};
  model.add(table);
  calls(model, "high", "table", kTwoWay);
  calls(model, "low", "table", kTwoWay);
  EXPECT_EQ(response(compute(model), model, "high"), milliseconds(2 + 2 + 1));
}

TEST(Responses, WithJitter) {
  Model model;
  RtInfo a = periodic("a", milliseconds(10), milliseconds(3));
  a.jitter = milliseconds(5);
  model.add(a);
  model.add(periodic("b", milliseconds(40), milliseconds(4)));
  const Schedule s = compute(model);
  EXPECT_EQ(response(s, model, "a"), milliseconds(8));
  EXPECT_EQ(response(s, model, "b"), milliseconds(10)) << "two jobs of a may come within 5 ms";
}

TEST(Responses, AChainInOneLaneTakesTheSumOfItsTimes) {
  Model model;
  model.add(periodic("n0", milliseconds(100), milliseconds(2)));
  for (int i = 1; i < 10; ++i) {
    model.add(passive("n" + std::to_string(i), milliseconds(2)));
    model.add({static_cast<Index>(i - 1), static_cast<Index>(i), kOneWay, 1});
  }
  const Schedule s = compute(model);
  EXPECT_EQ(response(s, model, "n9"), milliseconds(20));
  EXPECT_EQ(s.analysis.rounds, 1u);
}

TEST(Responses, WhatGoesUpwardsHasTheJitterOfItsCaller) {
  Model model;
  model.add(periodic("slow", milliseconds(100), milliseconds(10)));
  model.add(periodic("fast", milliseconds(10), milliseconds(1)));
  model.add(passive("shared", milliseconds(1)));
  calls(model, "slow", "shared", kOneWay);
  calls(model, "fast", "shared", kOneWay);
  const Schedule s = compute(model);
  const std::size_t from_slow = s.streams.of[model.at("shared")][1];
  EXPECT_EQ(s.streams.streams[from_slow].period, milliseconds(100));
  EXPECT_EQ(s.analysis.streams[from_slow].jitter, response(s, model, "slow"));
  EXPECT_GT(s.analysis.rounds, 1u);
  EXPECT_TRUE(s.schedulable);
}

TEST(Responses, OverloadIsSaid) {
  Model model;
  model.add(periodic("a", milliseconds(10), milliseconds(6)));
  model.add(periodic("b", milliseconds(20), milliseconds(9)));
  const Schedule s = compute(model);
  EXPECT_TRUE(s.infos[0].verdict == Verdict::Meets);
  EXPECT_EQ(s.infos[1].verdict, Verdict::Overloaded);
  EXPECT_EQ(s.infos[1].response, std::nullopt);
}

TEST(Responses, HoldTheirBoundOfSteps) {
  Bounds bounds;
  bounds.steps = 50;
  Model model(bounds);
  for (int i = 0; i < 30; ++i) model.add(periodic("p" + std::to_string(i), Time(1009 + 2 * i), Time(30)));
  const Schedule s = compute(model);
  EXPECT_FALSE(s.schedulable);
  EXPECT_EQ(s.infos.back().verdict, Verdict::Unproved);
  EXPECT_LT(s.analysis.steps, 2000u);
}

}  // namespace
}  // namespace callis::scheduling::testing
