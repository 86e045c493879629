// SPDX-License-Identifier: Apache-2.0
// The scheduling service over a real ORB: registering, computing, reading; and what it refuses.
#include <gtest/gtest.h>
#include <services/scheduling/testing/serving.h>
#include <atomic>
#include <thread>

namespace callis::scheduling::testing {
namespace {

namespace Idl = CallisScheduling;

constexpr Idl::Nanoseconds kMs = 1'000'000;

Idl::RtInfo info(const char* name, Idl::Nanoseconds period, Idl::Nanoseconds worst_case) {
  Idl::RtInfo out;
  out.entry_point = name;
  out.info_kind = Idl::OPERATION;
  out.worst_case_execution_time = worst_case;
  out.typical_execution_time = out.cached_execution_time = 0;
  out.period = period;
  out.deadline = out.jitter = out.blocking = out.quantum = 0;
  out.info_criticality = Idl::HIGH_CRITICALITY;
  out.info_importance = Idl::MEDIUM_IMPORTANCE;
  out.threads = 1;
  return out;
}

Idl::Options options() {
  Idl::Options out;
  out.assignment = Idl::RATE_MONOTONIC;
  out.level_each = false;
  out.most_lanes = 32;
  out.least_priority = 0;
  out.greatest_priority = 32767;
  return out;
}

// The words of the exception that f throws.
template<class E, class F>
std::string why(F&& f) {
  try {
    f();
  } catch (const E& e) {
    return e.why.in();
  } catch (const CORBA::Exception& e) {
    return std::string("another exception: ") + e._name();
  }
  return "nothing was refused";
}

struct SchedulingServiceTest : ::testing::Test, Serving {
  Idl::Handle create(const char* name, Idl::Nanoseconds period, Idl::Nanoseconds worst_case) {
    return scheduler->create(info(name, period, worst_case));
  }
  void calls(Idl::Handle from, Idl::Handle to, Idl::CallKind how, CORBA::ULong times = 1) {
    Idl::Dependency d;
    d.caller = from;
    d.called = to;
    d.how = how;
    d.number_of_calls = times;
    scheduler->add_dependency(d);
  }
};

TEST_F(SchedulingServiceTest, ComputesWhatIsRegistered) {
  const Idl::Handle gps = create("Gps::sample", 25 * kMs, 2 * kMs), radar = create("Radar::sweep", 50 * kMs, 8 * kMs),
                    fuse = create("Computer::fuse", 0, kMs), map = create("Map::lookup", 0, kMs / 2);
  calls(gps, fuse, Idl::ONE_WAY_CALL);
  calls(radar, fuse, Idl::ONE_WAY_CALL, 2);
  calls(gps, map, Idl::TWO_WAY_CALL);
  const Idl::Summary_var summary = scheduler->compute(options());
  EXPECT_TRUE(summary->schedulable);
  ASSERT_EQ(summary->from_lowest.length(), 2u);
  EXPECT_EQ(summary->from_lowest[1].lane_priority, 32767);
  EXPECT_NEAR(summary->utilisation, 2.5 / 25 + 8.0 / 50 + 1.0 / 25 + 2.0 / 50, 1e-9);
  const Idl::Result_var of_fuse = scheduler->result_of(fuse);
  EXPECT_EQ(of_fuse->priority, 32767);
  EXPECT_EQ(of_fuse->shortest_period, 25 * kMs);
  EXPECT_TRUE(of_fuse->has_response);
  EXPECT_EQ(of_fuse->outcome, Idl::MEETS);
  const Idl::Result_var of_map = scheduler->result_of(map);
  EXPECT_TRUE(of_map->inside);
  const Idl::Results_var all = scheduler->results_behind(0);
  ASSERT_EQ(all->length(), 4u);
  EXPECT_STREQ(all[1u].entry_point.in(), "Radar::sweep");
  EXPECT_EQ(Idl::Results_var(scheduler->results_behind(radar))->length(), 2u);
  EXPECT_EQ(Idl::Results_var(scheduler->results_behind(map))->length(), 0u);
  EXPECT_TRUE(Idl::Summary_var(scheduler->last())->schedulable);
  EXPECT_EQ(Idl::Dependencies_var(scheduler->dependencies_of(fuse))->length(), 2u);
}

TEST_F(SchedulingServiceTest, GivesBackWhatWasRegistered) {
  Idl::RtInfo given = info("a", 10 * kMs, kMs);
  given.info_locks.length(1);
  given.info_locks[0].name = "map";
  given.info_locks[0].longest = 1000;
  given.jitter = 5;
  const Idl::Handle a = scheduler->create(given);
  const Idl::RtInfo_var got = scheduler->get(a);
  EXPECT_STREQ(got->entry_point.in(), "a");
  EXPECT_EQ(got->period, 10 * kMs);
  EXPECT_EQ(got->jitter, 5u);
  EXPECT_EQ(got->info_criticality, Idl::HIGH_CRITICALITY);
  ASSERT_EQ(got->info_locks.length(), 1u);
  EXPECT_STREQ(got->info_locks[0].name.in(), "map");
  EXPECT_EQ(scheduler->lookup("a"), a);
}

TEST_F(SchedulingServiceTest, FeedsDynamicSchedulersByName) {
  const Idl::Handle clock = create("Clock::tick", 25 * kMs, 2 * kMs), show = create("Show::draw", 0, kMs);
  calls(clock, show, Idl::ONE_WAY_CALL);
  const Idl::Parameters before = scheduler->dynamic_parameters("Clock::tick");
  EXPECT_FALSE(before.scheduled);
  EXPECT_EQ(before.info_criticality, Idl::HIGH_CRITICALITY);
  EXPECT_EQ(before.period, 25 * kMs);
  EXPECT_EQ(before.deadline, 25 * kMs);
  EXPECT_EQ(before.worst_case_execution_time, 2 * kMs);
  Idl::Summary_var(scheduler->compute(options()));
  const Idl::Parameters after = scheduler->dynamic_parameters("Show::draw");
  EXPECT_TRUE(after.scheduled);
  EXPECT_EQ(after.period, 25 * kMs) << "inherited";
  EXPECT_EQ(after.priority, 32767);
  EXPECT_NE(
      why<Idl::Unknown>([&] { (void)scheduler->dynamic_parameters("Show::dra"); }).find("did you mean 'Show::draw'?"),
      std::string::npos);
}

TEST_F(SchedulingServiceTest, RefusesInWords) {
  const Idl::Handle a = create("a", 10 * kMs, kMs), b = create("b", 0, kMs);
  try {
    create("a", 5, 1);
    ADD_FAILURE();
  } catch (const Idl::Duplicate& d) {
    EXPECT_EQ(d.existing, a);
    EXPECT_STREQ(d.why.in(), "'a' is there already: names are unique");
  }
  EXPECT_NE(why<Idl::Unknown>([&] { scheduler->remove(77); }).find("handle 77"), std::string::npos);
  EXPECT_NE(why<Idl::Unknown>([&] { calls(a, 0, Idl::ONE_WAY_CALL); }).find("handle 0"), std::string::npos);
  EXPECT_NE(why<Idl::Cycle>([&] { calls(a, a, Idl::ONE_WAY_CALL); }).find("itself"), std::string::npos);
  EXPECT_NE(why<Idl::BadValue>([&] { calls(a, b, Idl::ONE_WAY_CALL, 0); }).find("0 times"), std::string::npos);
  EXPECT_NE(why<Idl::BadValue>([&] { create("c", ~Idl::Nanoseconds{0}, kMs); }).find("more than 1000000s"),
            std::string::npos);
  EXPECT_NE(why<Idl::BadValue>([&] { create("", 1, 1); }).find("is empty"), std::string::npos);
  EXPECT_NE(why<Idl::NotScheduled>([&] { Idl::Summary_var(scheduler->last()); }).find("call compute()"),
            std::string::npos);
  calls(a, b, Idl::TWO_WAY_CALL);
  calls(b, a, Idl::ONE_WAY_CALL);
  EXPECT_NE(why<Idl::Cycle>([&] { Idl::Summary_var(scheduler->compute(options())); }).find("'a' calls 'b' calls 'a'"),
            std::string::npos);
  Idl::Options wrong = options();
  wrong.most_lanes = 0;
  EXPECT_NE(why<Idl::BadValue>([&] { Idl::Summary_var(scheduler->compute(wrong)); }).find("0 lanes"),
            std::string::npos);
  EXPECT_THROW(create(std::string(1001, 'x').c_str(), 1, 1), CORBA::SystemException) << "the bound of the IDL";
}

TEST_F(SchedulingServiceTest, AChangeMakesTheScheduleOld) {
  const Idl::Handle a = create("a", 10 * kMs, kMs);
  Idl::Summary_var(scheduler->compute(options()));
  scheduler->set(a, info("a", 10 * kMs, 11 * kMs));
  EXPECT_NE(why<Idl::NotScheduled>([&] { Idl::Result_var(scheduler->result_of(a)); }).find("since the last change"),
            std::string::npos);
  EXPECT_FALSE(Idl::Summary_var(scheduler->compute(options()))->schedulable);
  EXPECT_EQ(Idl::Result_var(scheduler->result_of(a))->outcome, Idl::OVERLOADED);
  EXPECT_NE(why<Idl::BadValue>([&] { scheduler->set(a, info("b", 1, 1)); }).find("cannot be renamed"),
            std::string::npos);
  const Idl::Handle b = create("b", 10 * kMs, kMs);
  scheduler->remove(a);
  EXPECT_EQ(scheduler->lookup("b"), b) << "handles stay";
  EXPECT_GT(create("a", 10 * kMs, kMs), b) << "and are not used again";
}

TEST_F(SchedulingServiceTest, PrintsReports) {
  create("Gps::sample", 25 * kMs, 2 * kMs);
  Idl::Summary_var(scheduler->compute(options()));
  const std::pair<Idl::Report, const char*> kParts[] = {{Idl::TABLE, "schedulable: every deadline is met"},
                                                        {Idl::JSON, "\"schedulable\": true"},
                                                        {Idl::HEADER, "kGps_sample = 32767"},
                                                        {Idl::SVG, "<svg "},
                                                        {Idl::CONFIGURATION, "callis-rt-configuration 1"}};
  for (const auto& [report, part] : kParts) {
    const CORBA::String_var text = scheduler->text(report);
    EXPECT_NE(std::string(text.in()).find(part), std::string::npos) << text.in();
  }
}

TEST_F(SchedulingServiceTest, IsAnInitialReference) {
  const CORBA::Object_var own = orb->resolve_initial_references("SchedulingService");
  EXPECT_TRUE(own->_is_a("IDL:CallisScheduling/Scheduler:1.0"));
}

TEST(SchedulingServiceBounds, AreHeld) {
  Bounds bounds = kServiceBounds;
  bounds.infos = 3;
  Serving serving{Model(bounds)};
  for (const char* name : {"a", "b", "c"}) serving.scheduler->create(info(name, kMs, 1));
  EXPECT_NE(why<Idl::TooMany>([&] { serving.scheduler->create(info("d", kMs, 1)); }).find("one more than the 3"),
            std::string::npos);
}

// Two thousand rates that have nothing in common, and a processor that is nearly full.
TEST(SchedulingServiceItself, lets_others_register_and_read_while_it_computes) {
  SchedulingService service;
  for (int i = 0; i < 2'000; ++i) {
    const auto period = static_cast<Idl::Nanoseconds>(1'000'003 + i * 1'009);
    service.create(info(("f" + std::to_string(i)).c_str(), period, period / 2'003));
  }
  std::atomic<bool> begun{false}, done{false};
  std::thread computes([&] {
    begun = true;
    CallisScheduling::Summary_var(service.compute(options()));
    done = true;
  });
  while (!begun) std::this_thread::yield();
  int registered = 0;
  for (; !done && registered < 1'000; ++registered)
    service.create(info(("g" + std::to_string(registered)).c_str(), kMs, 1));
  computes.join();
  EXPECT_GT(registered, 10);
  EXPECT_THROW(CallisScheduling::Summary_var(service.last()), CallisScheduling::NotScheduled)
      << "the model has changed since it began";
  CallisScheduling::Summary_var(service.compute(options()));
  EXPECT_NO_THROW(CallisScheduling::Summary_var(service.last()));
}

}  // namespace
}  // namespace callis::scheduling::testing
