// SPDX-License-Identifier: Apache-2.0
// The analysis against the simulation: random task sets by UUniFast, with fixed seeds.
//
// Independent periodic tasks with lanes of their own, released together: both must agree on every set. With offsets,
// jitter, locks, shared lanes and calls: where the analysis says yes no deadline may be missed, and no response may
// be longer.
#include <services/scheduling/checked.h>
#include <services/scheduling/simulation.h>
#include <services/scheduling/testing/models.h>
#include <chrono>
#include <cstdio>
#include <numeric>

namespace callis::scheduling::testing {
namespace {

constexpr int kSets = 1000;
constexpr std::int64_t kMicrosecond = 1000;

// Periods of which one hundred fit into the least common multiple of all, 400 ms.
constexpr std::int64_t kRates[] = {4, 5, 8, 10, 16, 20, 25, 40, 50, 80, 100, 200};

// Until all has been done that is released together at the beginning, or `least`.
Time busy_until(const std::vector<Simulated>& tasks, Time least) {
  std::int64_t length = 1, next = 0;
  while (true) {
    next = 0;
    for (const Simulated& t : tasks) next += parts(length, t.period.count()) * t.execution.count();
    if (next <= length) break;
    length = next;
  }
  return std::max(Time(length), least);
}

// A set of independent tasks, and until when it must be watched.
struct TaskSet {
  Model model;
  Time least{0};
};

TaskSet random_set(Random& random, int number) {
  TaskSet out;
  const bool rates = number % 2 == 0;
  const auto n = static_cast<std::size_t>(random.between(2, 12));
  const std::vector<double> shares = uunifast(random, n, 0.7 + 0.29 * random.fraction());
  for (std::size_t i = 0; i < n; ++i) {
    const std::int64_t period =
        rates ? kRates[random.between(0, 11)] * 1'000'000
              : static_cast<std::int64_t>(std::pow(100.0, random.fraction()) * 1000) * kMicrosecond;
    const std::int64_t execution =
        std::max<std::int64_t>(1, static_cast<std::int64_t>(shares[i] * static_cast<double>(period)));
    Time deadline(0);
    if (number % 3 == 1) deadline = Time(random.between(execution + (period - execution) / 2, period));
    if (number % 3 == 2) deadline = Time(random.between(period / 2 + execution / 2, 2 * period));
    out.model.add(periodic("t" + std::to_string(i), Time(period), Time(execution), std::max(deadline, Time(0))));
    out.least = std::max(out.least, Time(2 * period));
  }
  if (rates) out.least = milliseconds(400);
  return out;
}

TEST(Simulation, AgreesWithTheAnalysisOnSynchronousPeriodicSets) {
  Random random(20);
  int yes = 0, exact = 0, tasks_seen = 0;
  for (int number = 0; number < kSets; ++number) {
    const TaskSet set = random_set(random, number);
    Options options;
    options.policy = number % 5 < 2 ? Policy::RateMonotonic : Policy::DeadlineMonotonic;
    options.sharing = Sharing::Each;
    const Schedule s = compute(set.model, options);
    std::vector<Index> infos;
    const std::vector<Simulated> tasks = tasks_of(set.model, s, infos);
    SimulationLimits limits;
    limits.until = busy_until(tasks, set.least);
    const Simulation simulation = simulate(tasks, limits);
    ASSERT_TRUE(simulation.whole);
    ASSERT_EQ(s.schedulable, !simulation.first_miss.has_value()) << "set " << number;
    for (std::size_t t = 0; t < tasks.size(); ++t) {
      const InfoResult& result = s.infos[infos[t]];
      ++tasks_seen;
      if (!result.response) continue;
      ASSERT_EQ(*result.response, simulation.worst[t]) << "set " << number << ", task " << t;
      ++exact;
    }
    yes += s.schedulable ? 1 : 0;
    if (s.bounds.meets_liu_layland && options.policy == Policy::RateMonotonic) {
      EXPECT_TRUE(s.schedulable) << number;
    }
    if (s.bounds.meets_liu_layland) {
      EXPECT_TRUE(s.bounds.meets_hyperbolic) << number;
    }
    if (s.bounds.meets_hyperbolic && options.policy == Policy::RateMonotonic) {
      EXPECT_TRUE(s.schedulable) << number;
    }
  }
  std::printf("%d sets, %d of them schedulable; %d of %d response times the same to the nanosecond\n", kSets, yes,
              exact, tasks_seen);
  EXPECT_GT(yes, kSets / 5);
  EXPECT_LT(yes, kSets * 9 / 10);
  EXPECT_EQ(exact, tasks_seen);
}

// Offsets, jitter, locks, and lanes that are shared.
TEST(Simulation, NeverMissesWhereTheAnalysisSaysYes) {
  Random random(21);
  int yes = 0, compared = 0;
  std::int64_t jobs = 0;
  for (int number = 0; number < kSets; ++number) {
    TaskSet set = random_set(random, number);
    const auto n = static_cast<Index>(set.model.infos().size());
    for (Index i = 0; i < n; ++i) {
      RtInfo info = set.model.infos()[i];
      if (random.one_in(2)) info.jitter = Time(random.between(0, info.period.count() / 3));
      if (random.one_in(2))
        info.locks = {
            {"l" + std::to_string(random.between(0, 2)), Time(random.between(1, 1 + info.worst_case.count() / 2))}};
      info.importance = static_cast<Importance>(random.between(0, 4));
      set.model.change(i, info);
    }
    Options options;
    options.policy = random.one_in(2) ? Policy::RateMonotonic : Policy::DeadlineMonotonic;
    options.sharing = random.one_in(2) ? Sharing::Shared : Sharing::Each;
    if (random.one_in(3)) options.most_lanes = static_cast<std::uint32_t>(random.between(1, 4));
    const Schedule s = compute(set.model, options);
    std::vector<Index> infos;
    std::vector<Simulated> tasks = tasks_of(set.model, s, infos);
    for (std::size_t t = 0; t < tasks.size(); ++t) {
      const RtInfo& info = set.model.infos()[infos[t]];
      if (random.one_in(2)) tasks[t].offset = Time(random.between(0, info.period.count()));
      for (const Lock& lock : info.locks)
        tasks[t].sections.push_back({Time(random.between(0, (info.worst_case - lock.longest).count())), lock.longest,
                                     static_cast<std::size_t>(lock.name[1] - '0')});
    }
    SimulationLimits limits;
    limits.until = 2 * set.least;
    limits.delay = [&](std::size_t task, std::size_t) {
      const std::int64_t jitter = set.model.infos()[infos[task]].jitter.count();
      return Time(random.one_in(2) ? jitter : random.between(0, jitter));
    };
    const Simulation simulation = simulate(tasks, limits);
    ASSERT_TRUE(simulation.whole);
    jobs += static_cast<std::int64_t>(simulation.jobs);
    if (s.schedulable) {
      ASSERT_FALSE(simulation.first_miss) << "set " << number;
    }
    for (std::size_t t = 0; t < tasks.size(); ++t) {
      const InfoResult& result = s.infos[infos[t]];
      if (!result.response) continue;
      ASSERT_LE(simulation.worst[t], *result.response) << "set " << number << ", task " << t;
      ++compared;
    }
    yes += s.schedulable ? 1 : 0;
  }
  std::printf("%d sets, %d of them schedulable, %lld jobs; %d response times compared\n", kSets, yes,
              static_cast<long long>(jobs), compared);
  EXPECT_GT(yes, kSets / 10);
  EXPECT_GT(compared, 5 * kSets);
}

// Operations that others call, one-way, two-way, through ands.
TEST(Simulation, NeverMissesWhereTheAnalysisSaysYesOfCalls) {
  Random random(22);
  int yes = 0, compared = 0;
  for (int number = 0; number < kSets; ++number) {
    Model model;
    const auto clocks = static_cast<Index>(random.between(1, 4)),
               all = clocks + static_cast<Index>(random.between(1, 10));
    for (Index i = 0; i < all; ++i) {
      const std::string name = "n" + std::to_string(i);
      const std::int64_t execution = random.between(20, 1500) * kMicrosecond;
      if (i < clocks) {
        model.add(periodic(name, milliseconds(kRates[random.between(2, 11)]), Time(execution)));
        continue;
      }
      const bool waits = random.one_in(5);
      RtInfo info = passive(name, waits && random.one_in(2) ? Time(0) : Time(execution),
                            waits ? InfoKind::And : InfoKind::Operation);
      info.importance = static_cast<Importance>(random.between(1, 3));
      if (random.one_in(4)) info.deadline = milliseconds(random.between(8, 100));
      model.add(info);
      // Ands have callers of one rate: of others, calls would be kept for ever.
      const std::int64_t callers = random.between(1, 2);
      for (std::int64_t c = 0; c < callers; ++c) {
        const auto caller = static_cast<Index>(random.between(0, waits ? clocks - 1 : i - 1));
        if (waits && c > 0 &&
            model.infos()[caller].period != model.infos()[model.dependencies().back().caller].period)
          continue;
        const bool again = c > 0 && model.dependencies().back().caller == caller;
        if (!again) model.add({caller, i, !waits && random.one_in(3) ? kTwoWay : kOneWay, 1});
      }
    }
    Options options;
    options.policy = random.one_in(2) ? Policy::RateMonotonic : Policy::DeadlineMonotonic;
    options.sharing = random.one_in(2) ? Sharing::Shared : Sharing::Each;
    const Schedule s = compute(model, options);
    std::vector<Index> infos;
    std::vector<Simulated> tasks = tasks_of(model, s, infos);
    if (random.one_in(2))
      for (Simulated& t : tasks)
        if (t.period.count() != 0) t.offset = Time(random.between(0, t.period.count()));
    SimulationLimits limits;
    limits.until = milliseconds(1000);
    limits.jobs = 200'000;
    const Simulation simulation = simulate(tasks, limits);
    if (s.schedulable) {
      ASSERT_TRUE(simulation.whole) << "set " << number;
      ASSERT_FALSE(simulation.first_miss) << "set " << number;
    }
    for (std::size_t t = 0; t < tasks.size(); ++t) {
      const InfoResult& result = s.infos[infos[t]];
      if (!result.response || tasks[t].execution.count() == 0) continue;
      ASSERT_LE(simulation.worst[t], *result.response) << "set " << number << ", task " << t;
      ++compared;
    }
    yes += s.schedulable ? 1 : 0;
  }
  std::printf("%d sets, %d of them schedulable; %d response times compared\n", kSets, yes, compared);
  EXPECT_GT(yes, kSets / 5);
  EXPECT_LT(yes, kSets);
  EXPECT_GT(compared, 3 * kSets);
}

TEST(Simulation, KeepsWhatRan) {
  Model model;
  model.add(periodic("a", milliseconds(10), milliseconds(3)));
  model.add(periodic("b", milliseconds(20), milliseconds(9)));
  const Schedule s = compute(model);
  std::vector<Index> infos;
  SimulationLimits limits;
  limits.until = milliseconds(20);
  limits.slices = 100;
  const Simulation simulation = simulate(tasks_of(model, s, infos), limits);
  std::string text;
  for (const Simulation::Slice& slice : simulation.slices)
    text += model.infos()[infos[slice.task]].entry_point + std::to_string(slice.begin.count() / 1'000'000) + "-" +
            std::to_string(slice.end.count() / 1'000'000) + (slice.ends ? ". " : " ");
  EXPECT_EQ(text, "a0-3. b3-10 a10-13. b13-15. ");
  EXPECT_EQ(simulation.ended, milliseconds(15));
}

TEST(Simulation, StopsAtItsBoundOfJobs) {
  Model model;
  model.add(periodic("a", Time(10), Time(20)));
  std::vector<Index> infos;
  SimulationLimits limits;
  limits.until = kLongestTime;
  limits.jobs = 1000;
  EXPECT_FALSE(simulate(tasks_of(model, compute(model), infos), limits).whole);
}

// 1,000 RT_Infos with 3,000 dependencies, which use `use` of the processor. mixed: one call in so many goes to an
// operation of another rate.
Model large_model(Random& random, std::int64_t mixed, double use) {
  constexpr Index kInfos = 1000, kClocks = 150, kLayer = 250, kGroups = 10;
  Model model;
  for (Index i = 0; i < kInfos; ++i) {
    const std::string name = "Module" + std::to_string(i / 50) + "::Object::operation" + std::to_string(i);
    const Time execution(random.between(5'000, 50'000));
    RtInfo info =
        i < kClocks ? periodic(name, milliseconds(kRates[i % kGroups]), execution) : passive(name, execution);
    if (mixed < 1000) info.importance = static_cast<Importance>(random.between(1, 3));
    model.add(info);
  }
  // Operations call those of the next layers.
  while (model.dependencies().size() < 3000) {
    const auto called = static_cast<Index>(random.between(kClocks, kInfos - 1));
    const Index layer = (called - kClocks) / kLayer;
    const auto caller = static_cast<Index>(random.between(0, kClocks + layer * kLayer - 1));
    if (caller % kGroups == called % kGroups || random.one_in(mixed))
      model.add({caller, called, random.one_in(4) ? kTwoWay : kOneWay, 1});
  }
  // So many calls would keep the processor busy many times over: shorter ones.
  const double first = compute(model).utilisation;
  for (Index i = 0; i < kInfos; ++i) {
    RtInfo info = model.infos()[i];
    info.worst_case = Time(1 + static_cast<std::int64_t>(static_cast<double>(info.worst_case.count()) * use / first));
    model.change(i, info);
  }
  return model;
}

// What it costs, as a line. Time is printed; work is what is checked, as it is the same everywhere.
Schedule measured_schedule(const Model& model, const Options& options, const char* what) {
  const auto began = std::chrono::steady_clock::now();
  Schedule s = compute(model, options);
  const auto took = std::chrono::duration_cast<microseconds>(std::chrono::steady_clock::now() - began);
  std::printf("%s: %lld us; %zu streams, %zu lanes, %u rounds, %llu steps, utilisation %.3f, %s\n", what,
              static_cast<long long>(took.count()), s.streams.streams.size(), s.lanes.size(), s.analysis.rounds,
              static_cast<unsigned long long>(s.analysis.steps), s.utilisation,
              s.schedulable ? "schedulable" : "not schedulable");
  EXPECT_LT(s.analysis.steps, 50'000'000u);
  return s;
}

TEST(Scheduling, AThousandInfosWithThreeThousandDependencies) {
  Random random(23);
  const Model model = large_model(random, 1000, 0.7);
  EXPECT_EQ(model.infos().size(), 1000u);
  EXPECT_EQ(model.dependencies().size(), 3000u);
  EXPECT_TRUE(measured_schedule(model, {}, "rate groups, shared levels").schedulable);
  measured_schedule(model, {.sharing = Sharing::Each, .most_lanes = 1000, .greatest_priority = 32767},
                    "rate groups, a level each");
  measured_schedule(large_model(random, 10, 0.7), {}, "calls between all rates, shared levels");
  measured_schedule(large_model(random, 1, 0.9),
                    {.sharing = Sharing::Each, .most_lanes = 1000, .greatest_priority = 32767},
                    "calls between all rates, a level each");
}

// Calls that make no job: to what has a rate of its own, and to one that waits for another caller in vain. They are
// work all the same, and those that wait are kept.
TEST(Simulation, of_calls_without_end_ends_as_one_of_jobs_without_end_does) {
  for (const bool waits : {false, true}) {
    std::vector<Simulated> tasks(3);
    tasks[0].period = Time(1'000'000);
    tasks[0].execution = Time(1);
    tasks[0].calls = {{1, 1'000'000}};
    tasks[1].execution = Time(1);
    tasks[1].waits_for_all = waits;
    if (!waits) tasks[1].period = Time(1'000'000'000);
    tasks[2].execution = Time(1);  // never runs
    tasks[2].calls = {{1, 1}};
    SimulationLimits limits;
    limits.until = Time(4'000'000);
    limits.jobs = 1'000;
    EXPECT_FALSE(simulate(tasks, limits).whole) << waits;
  }
}

}  // namespace
}  // namespace callis::scheduling::testing
