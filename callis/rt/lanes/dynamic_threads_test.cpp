// SPDX-License-Identifier: Apache-2.0
// Dynamic threads (RT-CORBA 1.2, 2.8): made when all of a lane are busy, up to the limit, at the lane's priority.
#include <callis/base/testing/soon.h>
#include <callis/rt/lanes/lane_growth.h>
#include <callis/rt/testing/lanes.h>
#include <sched.h>
#include <condition_variable>

namespace callis::rt {
namespace {

using namespace testing;

// Makes the threads of a lane, and counts them.
struct Maker {
  bool operator()() {
    const std::lock_guard lock(mutex);
    ++asked;
    changed.notify_all();
    return asked <= most;
  }
  void until_asked(int n) {
    std::unique_lock lock(mutex);
    ASSERT_TRUE(changed.wait_for(lock, std::chrono::seconds(20), [&] { return asked >= n; })) << asked;
  }
  int times() {
    const std::lock_guard lock(mutex);
    return asked;
  }

  std::mutex mutex;
  std::condition_variable changed;
  int asked = 0, most = 1'000'000;
};

TEST(LaneGrowth, MakesAThreadWhenAllAreBusyAndNoneWhileOneIsNot) {
  Maker maker;
  LaneGrowth growth(2, 10, [&] { return maker(); });
  ASSERT_EQ(growth.start(nullptr), 0);
  growth.begins();
  EXPECT_EQ(growth.threads(), 2u);
  growth.ends();
  growth.begins();
  growth.begins();
  maker.until_asked(1);
  growth.begins();
  maker.until_asked(2);
  growth.stop();
  growth.wait();
  EXPECT_EQ(maker.times(), 2) << "three are busy, and a fourth is there";
  EXPECT_EQ(growth.threads(), 4u);
}

TEST(LaneGrowth, MakesNoMoreThanThereMayBe) {
  Maker maker;
  LaneGrowth growth(1, 3, [&] { return maker(); });
  ASSERT_EQ(growth.start(nullptr), 0);
  for (int i = 0; i < 8; ++i) growth.begins();
  growth.wait();  // it has nothing to do any more
  EXPECT_EQ(maker.times(), 2);
  EXPECT_EQ(growth.threads(), 3u);
  growth.begins();
  EXPECT_EQ(growth.threads(), 3u);
}

TEST(LaneGrowth, AsksForNoMoreAfterTheFirstThatCannotBeHad) {
  Maker maker;
  maker.most = 1;
  LaneGrowth growth(1, 9, [&] { return maker(); });
  ASSERT_EQ(growth.start(nullptr), 0);
  for (int i = 0; i < 8; ++i) growth.begins();
  growth.wait();
  EXPECT_EQ(maker.times(), 2);
  EXPECT_EQ(growth.threads(), 2u);
}

TEST(LaneGrowth, WithoutThreadsToMakeIsNoThread) {
  Maker maker;
  LaneGrowth growth(2, 2, [&] { return maker(); });
  ASSERT_EQ(growth.start(nullptr), 0);
  for (int i = 0; i < 8; ++i) growth.begins();
  growth.wait();
  EXPECT_EQ(maker.times(), 0);
}

// Returns the priority of SCHED_FIFO of each thread of this process with that name; 0: another policy.
std::vector<int> fifo_priorities(const std::string& name) {
  std::vector<int> found;
  for (const pid_t thread : threads_named(name)) {
    sched_param param{};
    const bool fifo = ::sched_getscheduler(thread) == SCHED_FIFO && ::sched_getparam(thread, &param) == 0;
    found.push_back(fifo ? param.sched_priority : 0);
  }
  return found;
}

// Threads take their name, and leave the list, a moment after they have begun and been joined.
void expect_makers(const std::vector<int>& priorities) {
  EXPECT_TRUE(callis::testing::soon([&] { return fifo_priorities("callis-grow") == priorities; }));
}

struct DynamicThreads : Lanes {
  RTCORBA::ThreadpoolId pool_of(CORBA::ULong static_threads, CORBA::ULong dynamic_threads, bool buffering = true) {
    RTCORBA::ThreadpoolLanes list;
    list.length(1);
    list[0] = {10, static_threads, dynamic_threads};
    return rt->create_threadpool_with_lanes(0, list, false, buffering, 0, 0);
  }
  std::uint32_t threads_of(RTCORBA::ThreadpoolId id) {
    return ThreadpoolSet::of(*static_cast<orb::Core*>(server.in())).find(id)->lane(10, {}).lane->threads();
  }
  // Waits until the lane has n threads.
  void until_threads(RTCORBA::ThreadpoolId id, std::uint32_t n) {
    ASSERT_TRUE(callis::testing::soon([&] { return threads_of(id) == n; })) << threads_of(id);
  }
};

TEST_F(DynamicThreads, ComeOneByOneWhenAllOthersAreBusyUpToTheLimit) {
  const RTCORBA::ThreadpoolId pool = pool_of(1, 2);
  const PortableServer::POA_var poa = adapter(RTCORBA::SERVER_DECLARED, 10, pool);
  const where::Teller_var teller = activate(poa.in());
  EXPECT_EQ(threads_of(pool), 1u);
  std::vector<std::thread> callers;
  const auto call = [&] { callers.emplace_back([&] { teller->wait(); }); };
  call();
  here->until_waiting(1);
  until_threads(pool, 2);
  call();
  here->until_waiting(2);
  until_threads(pool, 3);
  call();
  here->until_waiting(3);
  call();  // waits for one of the three
  EXPECT_EQ(threads_of(pool), 3u);
  here->release();
  for (std::thread& t : callers) t.join();
  EXPECT_EQ(threads_of(pool), 3u) << "they stay";
}

TEST_F(DynamicThreads, HaveThePriorityOfTheirLane) {
  const RTCORBA::ThreadpoolId pool = pool_of(1, 1);
  const PortableServer::POA_var poa = adapter(RTCORBA::SERVER_DECLARED, 10, pool);
  const where::Teller_var teller = activate(poa.in());
  std::thread caller([&] { teller->wait(); });
  here->until_waiting(1);
  expect(tell_of(teller.in()), 10);  // by the dynamic one: the other waits
  here->release();
  caller.join();
}

TEST_F(DynamicThreads, AreMadeByAThreadOfTheLanesPriority) {
  pool_of(1, 1);
  expect_makers({may_have_priorities() ? 11 : 0});
}

TEST_F(DynamicThreads, AloneServeToo) {
  const RTCORBA::ThreadpoolId pool = pool_of(0, 3);
  const PortableServer::POA_var poa = adapter(RTCORBA::SERVER_DECLARED, 10, pool);
  const where::Teller_var teller = activate(poa.in());
  EXPECT_EQ(threads_of(pool), 1u) << "one that reads";
  expect(tell_of(teller.in()), 10);
}

TEST_F(DynamicThreads, AreNotMadeWhileCallsComeOneAfterTheOther) {
  const RTCORBA::ThreadpoolId pool = pool_of(2, 2);
  const PortableServer::POA_var poa = adapter(RTCORBA::SERVER_DECLARED, 10, pool);
  const where::Teller_var teller = activate(poa.in());
  for (int i = 0; i < 20; ++i) expect(tell_of(teller.in()), 10);
  EXPECT_EQ(threads_of(pool), 2u);
}

TEST_F(DynamicThreads, CountAmongThoseWithoutWhichARequestIsRefused) {
  const RTCORBA::ThreadpoolId pool = pool_of(1, 1, false);
  const PortableServer::POA_var poa = adapter(RTCORBA::SERVER_DECLARED, 10, pool);
  const where::Teller_var teller = activate(poa.in());
  std::vector<std::thread> callers;
  for (int i = 1; i <= 2; ++i) {
    callers.emplace_back([&] { teller->wait(); });
    here->until_waiting(i);
  }
  EXPECT_THROW(tell_of(teller.in()), CORBA::TRANSIENT);
  here->release();
  for (std::thread& t : callers) t.join();
  expect(tell_of(teller.in()), 10);
}

TEST_F(DynamicThreads, OfAPoolWithoutLanesComeAtEachPriority) {
  const RTCORBA::ThreadpoolId id = rt->create_threadpool(0, 1, 3, 10, true, 0, 0);
  const PortableServer::POA_var poa = adapter(RTCORBA::CLIENT_PROPAGATED, 10, id);
  const where::Teller_var teller = activate(poa.in());
  std::vector<std::thread> callers;
  for (int i = 1; i <= 3; ++i) {
    callers.emplace_back([&] {
      current->the_priority(20);
      teller->wait();
    });
    here->until_waiting(i);
  }
  EXPECT_EQ(tell_at(current.in(), teller.in(), 30).corba, 30);
  here->release();
  for (std::thread& t : callers) t.join();
}

TEST_F(DynamicThreads, EndWithTheirPoolWhetherOrNotTheyWereMade) {
  const RTCORBA::ThreadpoolId none = pool_of(1, 5);
  rt->destroy_threadpool(none);
  expect_makers({});
  const RTCORBA::ThreadpoolId some = pool_of(1, 5);
  {
    const PortableServer::POA_var poa = adapter(RTCORBA::SERVER_DECLARED, 10, some);
    const where::Teller_var teller = activate(poa.in());
    std::thread caller([&] { teller->wait(); });
    here->until_waiting(1);
    until_threads(some, 2);
    here->release();
    caller.join();
    poa->destroy(true, true);
  }
  rt->destroy_threadpool(some);
  expect_makers({});
}

}  // namespace
}  // namespace callis::rt
