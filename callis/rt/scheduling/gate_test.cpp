// SPDX-License-Identifier: Apache-2.0
// Places, giving way, inheritance, and native priorities.
#include <callis/rt/scheduling/native.h>
#include <callis/rt/scheduling/testing/schedulers.h>
#include <sched.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace callis::rt::scheduling::testing {
namespace {

using Names = std::vector<std::string>;

struct Places : Scheduled<FP_Scheduling::Scheduler> {
  explicit Places(unsigned places = 1) : Scheduled(&make_fixed_priority_scheduler, places) {}
  CORBA::Policy_var priority(CORBA::Short p) {
    return CORBA::Policy_var(scheduler->create_segment_scheduling_parameter({p}));
  }
  void begin(const char* name, CORBA::Short p) {
    current->begin_scheduling_segment(name, priority(p).in(), nullptr);
  }
};
struct TwoPlaces : Places {
  TwoPlaces() : Places(2) {}
};

TEST_F(Places, are_given_up_at_scheduling_points_to_whoever_is_more_urgent) {
  Log log;
  begin("mine", 5);
  std::thread high = in_segment("high", priority(9).in(), [&] { log.add("high"); });
  until([&] { return gate().ready() == 1; });
  std::thread low = in_segment("low", priority(1).in(), [&] { log.add("low"); });
  until([&] { return gate().ready() == 2; });
  log.add("mine");
  current->update_scheduling_segment("mine", nullptr, nullptr);
  log.add("mine again");
  current->end_scheduling_segment("mine");
  high.join();
  low.join();
  EXPECT_EQ(log.all(), (Names{"mine", "high", "mine again", "low"}));
}

TEST_F(Places, are_given_up_when_an_update_makes_a_segment_less_urgent) {
  Log log;
  begin("mine", 5);
  std::thread other = in_segment("other", priority(3).in(), [&] { log.add("other"); });
  until([&] { return gate().ready() == 1; });
  current->update_scheduling_segment("mine", nullptr, nullptr);
  log.add("still mine");
  current->update_scheduling_segment("mine", priority(2).in(), nullptr);
  log.add("mine later");
  current->end_scheduling_segment("mine");
  other.join();
  EXPECT_EQ(log.all(), (Names{"still mine", "other", "mine later"}));
}

TEST_F(Places, are_those_of_the_outer_segment_again_when_a_nested_one_ends) {
  Log log;
  begin("outer", 2);
  begin("inner", 9);
  std::thread other = in_segment("other", priority(5).in(), [&] { log.add("other"); });
  until([&] { return gate().ready() == 1; });
  log.add("inner");
  current->end_scheduling_segment("inner");
  log.add("outer");
  current->end_scheduling_segment("outer");
  other.join();
  EXPECT_EQ(log.all(), (Names{"inner", "other", "outer"}));
}

TEST_F(Places, are_free_while_a_thread_waits_for_something_else) {
  begin("mine", 9);
  Signal ran;
  std::thread other = in_segment("other", priority(1).in(), [&] { ran.set(); });
  {
    const Waiting waiting;
    ran.wait();
  }
  current->end_scheduling_segment("mine");
  other.join();
}

TEST_F(Places, are_left_by_threads_that_end_inside_segments) {
  std::thread([&] { begin("forgotten", 9); }).join();
  begin("mine", 1);
  current->end_scheduling_segment("mine");
  EXPECT_EQ(state().threads().size(), 0u);
}

TEST_F(TwoPlaces, let_two_run_at_a_time) {
  begin("mine", 9);
  Signal second, go;
  std::thread other = in_segment("other", priority(1).in(), [&] {
    second.set();
    go.wait();
  });
  second.wait();
  std::thread third = in_segment("third", priority(5).in(), [] {});
  until([&] { return gate().ready() == 1; });
  go.set();
  other.join();
  third.join();
  current->end_scheduling_segment("mine");
}

// Low holds the resource, high waits for it, middle is ready: without inheritance middle would run before low.
TEST_F(Places, urgency_is_inherited_by_who_holds_what_another_waits_for) {
  Log log;
  const RTScheduling::ResourceManager_var resource = scheduler->create_resource_manager("r", nullptr);
  begin("low", 1);
  resource->lock();
  std::thread high = in_segment("high", priority(9).in(), [&] {
    resource->lock();
    log.add("high");
    resource->unlock();
  });
  until([&] { return gate().ready() == 1; });
  current->update_scheduling_segment("low", nullptr, nullptr);  // high runs, and waits for the resource
  std::thread middle = in_segment("middle", priority(5).in(), [&] { log.add("middle"); });
  until([&] { return gate().ready() == 1; });
  current->update_scheduling_segment("low", nullptr, nullptr);
  log.add("low");
  resource->unlock();
  log.add("low again");
  current->end_scheduling_segment("low");
  high.join();
  middle.join();
  EXPECT_EQ(log.all(), (Names{"low", "high", "middle", "low again"}));
}

TEST_F(Places, a_resource_has_a_ceiling) {
  Log log;
  const CORBA::Policy_var ceiling = scheduler->create_resource_scheduling_parameter({7});
  const RTScheduling::ResourceManager_var resource = scheduler->create_resource_manager("r", ceiling.in());
  begin("low", 1);
  resource->lock();
  std::thread middle = in_segment("middle", priority(5).in(), [&] { log.add("middle"); });
  until([&] { return gate().ready() == 1; });
  current->update_scheduling_segment("low", nullptr, nullptr);
  log.add("low");
  resource->unlock();
  current->end_scheduling_segment("low");
  middle.join();
  EXPECT_EQ(log.all(), (Names{"low", "middle"}));
}

TEST_F(Places, resources_are_locked_once_and_unlocked_by_their_holder) {
  const RTScheduling::ResourceManager_var resource = scheduler->create_resource_manager("r", nullptr);
  EXPECT_EQ(outcome_of([&] { resource->unlock(); }), "BAD_INV_ORDER 230 NO");
  resource->lock();
  EXPECT_EQ(outcome_of([&] { resource->lock(); }), "BAD_INV_ORDER 230 NO");
  std::thread([&] {
    EXPECT_FALSE(resource->try_lock(0));
    EXPECT_FALSE(resource->try_lock(10'000)) << "a millisecond";
    begin("segment", 1);
    EXPECT_FALSE(resource->try_lock(10'000));
    EXPECT_EQ(outcome_of([&] { resource->unlock(); }), "BAD_INV_ORDER 230 NO");
    current->end_scheduling_segment("segment");
  }).join();
  resource->unlock();
  EXPECT_TRUE(resource->try_lock(0));
  resource->unlock();
}

// Chapter 3: interface ResourceManager : RTCORBA::Mutex.
TEST_F(Places, resources_are_mutexes_of_real_time) {
  const RTScheduling::ResourceManager_var resource = scheduler->create_resource_manager("r", nullptr);
  const RTCORBA::Mutex_var mutex = RTCORBA::Mutex::_narrow(resource.in());
  ASSERT_FALSE(CORBA::is_nil(mutex.in()));
  mutex->lock();
  std::thread([&] { EXPECT_FALSE(resource->try_lock(0)); }).join();
  mutex->unlock();
  const CORBA::Object_var object = orb->resolve_initial_references("RTORB");
  const RTCORBA::RTORB_var rtorb = RTCORBA::RTORB::_narrow(object.in());
  EXPECT_THROW(rtorb->destroy_mutex(mutex.in()), CORBA::BAD_PARAM) << "no RTORB has made it";
}

TEST_F(Places, resources_that_are_let_go_while_they_are_held_leave_nothing_behind) {
  begin("mine", 1);
  RTScheduling::ResourceManager_var resource = scheduler->create_resource_manager("r", nullptr);
  resource->lock();
  resource = RTScheduling::ResourceManager::_nil();
  current->update_scheduling_segment("mine", nullptr, nullptr);
  current->end_scheduling_segment("mine");
}

TEST_F(Places, resources_go_from_threads_outside_segments_to_others_that_wait) {
  const RTScheduling::ResourceManager_var resource = scheduler->create_resource_manager("r", nullptr);
  resource->lock();
  std::atomic<int> got{0};
  const auto take = [&] {
    resource->lock();
    ++got;
    resource->unlock();
  };
  std::thread outside(take), inside = in_segment("inside", priority(3).in(), take);
  resource->unlock();
  outside.join();
  inside.join();
  EXPECT_EQ(got.load(), 2);
}

TEST(NativePriorities, are_in_the_order_of_urgency_and_back_afterwards) {
  if (may_run_fifo(60) != 0) GTEST_SKIP() << "SCHED_FIFO is not permitted";
  Options o;
  o.order = Options::Order::Native;
  o.lowest_native = 20;
  o.highest_native = 21;
  const FP_Scheduling::Scheduler_var scheduler = make_fixed_priority_scheduler(o);
  const CORBA::ORB_var orb = orb_with(scheduler.in());
  const RTScheduling::Current_var current = current_of(orb.in());
  const auto begin = [&](const char* name, CORBA::Short p) {
    const CORBA::Policy_var priority = scheduler->create_segment_scheduling_parameter({p});
    current->begin_scheduling_segment(name, priority.in(), nullptr);
  };
  const NativePriority before = native_priority();
  begin("mine", 5);
  EXPECT_EQ(native_priority().policy & ~SCHED_RESET_ON_FORK, SCHED_FIFO);
  EXPECT_EQ(native_priority().priority, 21);
  Signal ready, go;
  std::thread other([&] {
    begin("other", 9);
    EXPECT_EQ(native_priority().priority, 21);
    ready.set();
    go.wait();
    current->end_scheduling_segment("other");
    EXPECT_EQ(native_priority().policy, SCHED_OTHER);
  });
  ready.wait();
  EXPECT_EQ(native_priority().priority, 20) << "while one that is more urgent is inside a segment";
  begin("nested", 10);
  EXPECT_EQ(native_priority().priority, 21);
  current->end_scheduling_segment("nested");
  EXPECT_EQ(native_priority().priority, 20);
  current->the_priority(70);
  EXPECT_EQ(current->the_priority(), 70);
  EXPECT_EQ(native_priority().priority, 20) << "the scheduler's, inside a segment";
  EXPECT_EQ(outcome_of([&] { current->the_priority(-1); }), "BAD_PARAM 228 NO");
  go.set();
  other.join();
  EXPECT_EQ(native_priority().priority, 21);
  current->end_scheduling_segment("mine");
  EXPECT_EQ(native_priority().policy, before.policy);
  EXPECT_EQ(native_priority().priority, before.priority);
  std::thread([&] {
    current->the_priority(70);
    EXPECT_EQ(native_priority().priority, 71) << "outside of segments, by the mapping continuous";
  }).join();
  orb->destroy();
}

// The outcome in a process that may not use SCHED_FIFO.
template <class F>
std::string without_permission(F&& f) {
  if (may_run_fifo(60) != 0) return outcome_of(f);
  int out[2] = {};
  if (::pipe(out) != 0) return "no pipe";
  const pid_t child = ::fork();
  if (child == 0) {
    const rlimit none{0, 0};
    std::string said = "cannot give up its rights";
    if (::setrlimit(RLIMIT_RTPRIO, &none) == 0 && ::setuid(65534) == 0) said = outcome_of(f);
    if (::write(out[1], said.data(), said.size()) < 0) ::_exit(1);
    ::_exit(0);
  }
  ::close(out[1]);
  std::string said(100, '\0');
  const ssize_t n = ::read(out[0], said.data(), said.size());
  said.resize(n > 0 ? static_cast<std::size_t>(n) : 0);
  ::close(out[0]);
  int status = 0;
  ::waitpid(child, &status, 0);
  return said;
}

TEST(NativePriorities, that_are_not_permitted_are_INITIALIZE_or_turns) {
  Options o;
  o.order = Options::Order::Native;
  EXPECT_EQ(without_permission([&] { make_fixed_priority_scheduler(o); }), "INITIALIZE 232 NO");
  o.order = Options::Order::NativeIfPermitted;
  EXPECT_EQ(without_permission([&] {
              const FP_Scheduling::Scheduler_var s = make_fixed_priority_scheduler(o);
              const CORBA::ORB_var orb = orb_with(s.in());
              const RTScheduling::Current_var current = current_of(orb.in());
              current->begin_scheduling_segment("by turns", nullptr, nullptr);
              if (native_priority().policy != SCHED_OTHER) throw CORBA::INTERNAL();
              current->end_scheduling_segment(nullptr);
            }),
            "ok");
}

TEST(NativePriorities, that_do_not_exist_are_refused) {
  Options o;
  o.order = Options::Order::Native;
  o.highest_native = 100;
  EXPECT_EQ(outcome_of([&] { make_fixed_priority_scheduler(o); }), "BAD_PARAM 228 NO");
  o.highest_native = 5;
  EXPECT_EQ(outcome_of([&] { make_fixed_priority_scheduler(o); }), "BAD_PARAM 228 NO") << "below the lowest";
}

}  // namespace
}  // namespace callis::rt::scheduling::testing
