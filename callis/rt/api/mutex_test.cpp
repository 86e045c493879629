// SPDX-License-Identifier: Apache-2.0
// RTCORBA::Mutex: misuse, limits of time, priority inheritance; named mutexes.
#include <callis/base/clock.h>
#include <callis/rt/api/mutex.h>
#include <callis/rt/testing/fixture.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <cstdio>
#include <cstring>

namespace callis::rt {
namespace {

using namespace testing;

struct RtMutexTest : RtFixture {
  RTCORBA::Mutex_var mutex = rtorb->create_mutex();
};

TEST_F(RtMutexTest, excludes) {
  int n = 0;
  const auto count = [&] {
    for (int i = 0; i < 10'000; ++i) {
      mutex->lock();
      ++n;
      mutex->unlock();
    }
  };
  std::thread other(count);
  count();
  other.join();
  EXPECT_EQ(n, 20'000);
}

TEST_F(RtMutexTest, its_owner_cannot_lock_it_again) {
  mutex->lock();
  const Thrown e = thrown_by<CORBA::BAD_INV_ORDER>([&] { mutex->lock(); });
  EXPECT_EQ(e.minor, kLockedByMe);
  EXPECT_NE(e.words.find("has the mutex already"), std::string::npos) << e.words;
  EXPECT_EQ(thrown_by<CORBA::BAD_INV_ORDER>([&] { mutex->try_lock(10'000); }).minor, kLockedByMe);
  EXPECT_EQ(thrown_by<CORBA::BAD_INV_ORDER>([&] { mutex->try_lock(0); }).minor, kLockedByMe);
  mutex->unlock();
  EXPECT_TRUE(mutex->try_lock(0));
  mutex->unlock();
}

TEST_F(RtMutexTest, only_its_owner_unlocks_it) {
  EXPECT_EQ(thrown_by<CORBA::BAD_INV_ORDER>([&] { mutex->unlock(); }).minor, kNotLocked);
  mutex->lock();
  on_a_thread([&] { EXPECT_EQ(thrown_by<CORBA::NO_PERMISSION>([&] { mutex->unlock(); }).minor, kLockedByOther); });
  on_a_thread([&] { EXPECT_FALSE(mutex->try_lock(0)) << "still locked"; });
  mutex->unlock();
  EXPECT_EQ(thrown_by<CORBA::BAD_INV_ORDER>([&] { mutex->unlock(); }).minor, kNotLocked);
}

TEST_F(RtMutexTest, try_lock_gives_up_at_its_limit) {
  mutex->lock();
  on_a_thread([&] {
    const TimePoint before = Clock::steady().now();
    EXPECT_FALSE(mutex->try_lock(20'000));  // 2 ms
    EXPECT_GE(Clock::steady().now() - before, std::chrono::milliseconds(2));
    EXPECT_FALSE(mutex->try_lock(1)) << "100 ns";
    EXPECT_FALSE(mutex->try_lock(0));
  });
  mutex->unlock();
}

TEST_F(RtMutexTest, try_lock_gets_it_within_its_limit_however_long_that_is) {
  for (const TimeBase::TimeT limit : {TimeBase::TimeT(600'000'000), ~TimeBase::TimeT(0), TimeBase::TimeT(1) << 60}) {
    mutex->lock();
    std::atomic<bool> got{false};
    std::thread waiter([&] {
      got = mutex->try_lock(limit);
      if (got) mutex->unlock();
    });
    mutex->unlock();
    waiter.join();
    EXPECT_TRUE(got) << limit;
  }
}

TEST_F(RtMutexTest, destroyed_it_is_of_no_use) {
  const RTCORBA::Mutex_var kept = RTCORBA::Mutex::_duplicate(mutex.in());
  mutex->lock();
  EXPECT_EQ(thrown_by<CORBA::BAD_INV_ORDER>([&] { rtorb->destroy_mutex(mutex.in()); }).minor, kMutexInUse);
  mutex->unlock();
  rtorb->destroy_mutex(mutex.in());
  EXPECT_EQ(thrown_by<CORBA::OBJECT_NOT_EXIST>([&] { kept->lock(); }).minor, kMutexDestroyed);
  EXPECT_EQ(thrown_by<CORBA::OBJECT_NOT_EXIST>([&] { kept->try_lock(0); }).minor, kMutexDestroyed);
  EXPECT_EQ(thrown_by<CORBA::OBJECT_NOT_EXIST>([&] { kept->unlock(); }).minor, kMutexDestroyed);
  EXPECT_EQ(thrown_by<CORBA::OBJECT_NOT_EXIST>([&] { rtorb->destroy_mutex(kept.in()); }).minor, kMutexDestroyed);
}

TEST_F(RtMutexTest, is_destroyed_by_the_orb_that_made_it) {
  AnotherOrb other;
  EXPECT_EQ(thrown_by<CORBA::BAD_PARAM>([&] { other.rtorb->destroy_mutex(mutex.in()); }).minor, kBadMutex);
  EXPECT_EQ(thrown_by<CORBA::BAD_PARAM>([&] { rtorb->destroy_mutex(nullptr); }).minor, kBadMutex);
  rtorb->destroy_mutex(mutex.in());
}

// --- Named mutexes ---

TEST_F(RtMutexTest, of_one_name_there_is_one) {
  CORBA::Boolean created = false;
  const RTCORBA::Mutex_var a = rtorb->create_named_mutex("a", created);
  EXPECT_TRUE(created);
  const RTCORBA::Mutex_var again = rtorb->create_named_mutex("a", created);
  EXPECT_FALSE(created);
  EXPECT_EQ(a.in(), again.in());
  EXPECT_EQ(RTCORBA::Mutex_var(rtorb->open_named_mutex("a")).in(), a.in());
  EXPECT_NE(RTCORBA::Mutex_var(rtorb->create_named_mutex("b", created)).in(), a.in());
  EXPECT_THROW(rtorb->open_named_mutex("c"), RTCORBA::RTORB::MutexNotFound);
}

TEST_F(RtMutexTest, a_name_is_free_again_when_its_mutex_is_destroyed) {
  CORBA::Boolean created = false;
  const RTCORBA::Mutex_var a = rtorb->create_named_mutex("a", created);
  rtorb->destroy_mutex(a.in());
  EXPECT_THROW(rtorb->open_named_mutex("a"), RTCORBA::RTORB::MutexNotFound);
  const RTCORBA::Mutex_var next = rtorb->create_named_mutex("a", created);
  EXPECT_TRUE(created);
  EXPECT_THROW(rtorb->destroy_mutex(a.in()), CORBA::OBJECT_NOT_EXIST) << "the old one, whose name is another's";
  EXPECT_EQ(RTCORBA::Mutex_var(rtorb->open_named_mutex("a")).in(), next.in());
}

TEST_F(RtMutexTest, named_ones_are_bounded_in_number) {
  CORBA::Boolean created = false;
  for (int i = 0; i < 1024; ++i) RTCORBA::Mutex_var(rtorb->create_named_mutex(std::to_string(i).c_str(), created));
  EXPECT_EQ(thrown_by<CORBA::NO_RESOURCES>([&] { rtorb->create_named_mutex("one more", created); }).minor,
            kTooManyMutexes);
  EXPECT_FALSE(created);
  rtorb->destroy_mutex(RTCORBA::Mutex_var(rtorb->open_named_mutex("7")).in());
  RTCORBA::Mutex_var(rtorb->create_named_mutex("one more", created));
  EXPECT_TRUE(created);
}

TEST_F(RtMutexTest, a_name_is_some_text) {
  CORBA::Boolean created = false;
  EXPECT_EQ(thrown_by<CORBA::BAD_PARAM>([&] { rtorb->create_named_mutex("", created); }).minor, kBadMutex);
  EXPECT_EQ(thrown_by<CORBA::BAD_PARAM>([&] { rtorb->create_named_mutex(nullptr, created); }).minor, kBadMutex);
  EXPECT_EQ(thrown_by<CORBA::BAD_PARAM>([&] { rtorb->open_named_mutex(""); }).minor, kBadMutex);
}

// --- Inheritance ---

// The priority at which the system runs the calling thread now, as one of SCHED_FIFO; 0: none.
int effective_priority() {
  const std::string name = "/proc/self/task/" + std::to_string(::syscall(SYS_gettid)) + "/stat";
  char text[1024] = {};
  std::FILE* const file = std::fopen(name.c_str(), "r");
  if (!file) return 0;
  const std::size_t n = std::fread(text, 1, sizeof text - 1, file);
  std::fclose(file);
  text[n] = 0;
  const char* at = std::strrchr(text, ')');
  for (int field = 2; at && field < 18; ++field) at = std::strchr(at + 1, ' ');
  const int shown = at ? std::atoi(at + 1) : 0;  // field 18: -1 - priority
  return shown < 0 ? -1 - shown : 0;
}

TEST_F(RtMutexTest, its_owner_has_the_priority_of_the_most_urgent_that_waits) {
  CALLIS_NEEDS_PRIORITIES();
  on_a_thread([&] {
    ASSERT_EQ(set_native(10), 0);
    mutex->lock();
    ASSERT_EQ(effective_priority(), 10);
    std::thread urgent([&] {
      ASSERT_EQ(set_native(30), 0);
      mutex->lock();
      mutex->unlock();
    });
    const Deadline limit = Deadline::in(std::chrono::seconds(20));
    int now = 0;
    while ((now = effective_priority()) != 30 && !limit.passed())
      std::this_thread::yield();  // on one processor to the other thread, which has the same priority at first
    EXPECT_EQ(now, 30) << "inherited from the thread that waits";
    mutex->unlock();
    EXPECT_EQ(effective_priority(), 10) << "and given back";
    urgent.join();
  });
}

TEST_F(RtMutexTest, a_wait_with_a_limit_is_inherited_too) {
  CALLIS_NEEDS_PRIORITIES();
  on_a_thread([&] {
    ASSERT_EQ(set_native(10), 0);
    mutex->lock();
    std::thread urgent([&] {
      ASSERT_EQ(set_native(30), 0);
      if (mutex->try_lock(200'000'000)) mutex->unlock();
    });
    const Deadline limit = Deadline::in(std::chrono::seconds(10));
    int now = 0;
    while ((now = effective_priority()) != 30 && !limit.passed())
      std::this_thread::yield();  // on one processor to the other thread, which has the same priority at first
    EXPECT_EQ(now, 30);
    mutex->unlock();
    urgent.join();
  });
}

}  // namespace
}  // namespace callis::rt
