// SPDX-License-Identifier: Apache-2.0
// omnithread's classes, as omniORB's document "The OMNI Thread Abstraction" describes them.
#include <gtest/gtest.h>
#include <callis/compat/omnithread.h>
#include <atomic>
#include <thread>

namespace {

TEST(OmniTime, carries_nanoseconds_into_seconds) {
  omni_time_t t(1, 1'500'000'000);
  EXPECT_EQ(t, omni_time_t(2, 500'000'000));
  t += omni_time_t(0, 600'000'000);
  EXPECT_EQ(t, omni_time_t(3, 100'000'000));
  EXPECT_EQ(t - omni_time_t(1, 200'000'000), omni_time_t(1, 900'000'000));
  EXPECT_LT(omni_time_t(1, 999'999'999), omni_time_t(2));
  EXPECT_FALSE(omni_time_t());
}

TEST(OmniMutex, trylock_tells_whether_somebody_holds_it) {
  omni_mutex m;
  const omni_mutex_lock held(m);
  std::thread([&m] { EXPECT_FALSE(omni_mutex_trylock(m)); }).join();
  omni_mutex free;
  EXPECT_TRUE(omni_mutex_trylock(free));
  EXPECT_TRUE(omni_mutex_trylock(free)) << "the first has released it";
}

TEST(OmniCondition, timedwait_returns_zero_when_the_time_has_come) {
  omni_mutex m;
  omni_condition c(&m);
  const omni_mutex_lock held(m);
  unsigned long s = 0, ns = 0;
  omni_thread::get_time(&s, &ns, 0, 1'000'000);
  EXPECT_EQ(c.timedwait(s, ns), 0);
}

TEST(OmniCondition, wakes_the_waiting_thread) {
  omni_mutex m;
  omni_condition c(&m);
  bool ready = false;
  std::thread waker([&] {
    const omni_mutex_lock held(m);
    ready = true;
    c.signal();
  });
  {
    const omni_mutex_lock held(m);
    while (!ready) EXPECT_EQ(c.timedwait(~0ul), 1) << "a time beyond the clock's waits, too";
  }
  waker.join();
}

TEST(OmniSemaphore, counts_to_its_most) {
  omni_semaphore s(0, 1);
  EXPECT_FALSE(s.trywait());
  s.post();
  s.post();
  EXPECT_TRUE(s.trywait());
  EXPECT_FALSE(s.trywait()) << "two posts count as one";
  std::thread poster([&s] { s.post(); });
  s.wait();
  poster.join();
}

void* twice(void* number) { return static_cast<char*>(number) + 1; }

TEST(OmniThread, join_gives_the_result) {
  char bytes[2];
  omni_thread* const t = omni_thread::create(&twice, bytes, omni_thread::PRIORITY_HIGH);
  EXPECT_EQ(t->priority(), omni_thread::PRIORITY_HIGH);
  void* result = nullptr;
  t->join(&result);
  EXPECT_EQ(result, bytes + 1);
}

// Objects on the stack of a thread that ends by exit().
struct Marks {
  bool& gone;
  ~Marks() { gone = true; }
};

class Worker : public omni_thread {
 public:
  explicit Worker(bool& gone) : gone_(gone) { start_undetached(); }

 private:
  ~Worker() override = default;
  void* run_undetached(void*) override {
    const Marks marks{gone_};
    EXPECT_EQ(self(), this);
    EXPECT_EQ(state(), STATE_RUNNING);
    exit(&gone_);
  }
  bool& gone_;
};

TEST(OmniThread, exit_destroys_the_stack_and_passes_the_result) {
  bool gone = false;
  void* result = nullptr;
  (new Worker(gone))->join(&result);
  EXPECT_TRUE(gone);
  EXPECT_EQ(result, &gone);
}

struct Value : omni_thread::value_t {
  explicit Value(std::atomic<int>& n) : deleted(n) {}
  ~Value() override { ++deleted; }
  std::atomic<int>& deleted;
};

struct Detached {
  omni_semaphore ended{0};
  std::atomic<int> deleted{0};
  omni_thread::key_t key = omni_thread::allocate_key();
};

class DetachedThread : public omni_thread {
 public:
  explicit DetachedThread(Detached& d) : omni_thread(&d) { start(); }

 private:
  ~DetachedThread() override { d_->ended.post(); }
  void run(void* d) override {
    d_ = static_cast<Detached*>(d);
    set_value(d_->key, new Value(d_->deleted));
    set_value(d_->key, new Value(d_->deleted));
    EXPECT_EQ(d_->deleted, 1) << "set_value deletes the value before";
    EXPECT_NE(get_value(d_->key), nullptr);
    EXPECT_EQ(get_value(d_->key + 100), nullptr);
    EXPECT_THROW(set_value(d_->key + 100, nullptr), omni_thread_invalid);
  }
  Detached* d_ = nullptr;
};

TEST(OmniThread, a_detached_thread_deletes_itself_and_its_values) {
  Detached d;
  new DetachedThread(d);
  d.ended.wait();
  EXPECT_EQ(d.deleted, 2);
}

TEST(OmniThread, the_main_thread_has_an_object_and_others_a_dummy) {
  EXPECT_NE(omni_thread::self(), nullptr);
  EXPECT_THROW(omni_thread::create_dummy(), omni_thread_invalid);
  std::thread([] {
    EXPECT_EQ(omni_thread::self(), nullptr);
    {
      const omni_thread::ensure_self self;
      EXPECT_NE(omni_thread::self(), nullptr);
      const omni_thread::ensure_self again;
    }
    EXPECT_EQ(omni_thread::self(), nullptr);
    EXPECT_THROW(omni_thread::release_dummy(), omni_thread_invalid);
  }).join();
}

TEST(OmniThread, what_a_state_forbids_is_refused) {
  EXPECT_THROW(omni_thread::self()->start(), omni_thread_invalid);
  EXPECT_THROW(omni_thread::self()->join(nullptr), omni_thread_invalid);
  omni_thread* const t = new omni_thread(&twice, nullptr);
  EXPECT_EQ(t->state(), omni_thread::STATE_NEW);
  EXPECT_THROW(t->join(nullptr), omni_thread_invalid);
  EXPECT_THROW(t->set_priority(omni_thread::PRIORITY_LOW), omni_thread_invalid);
  t->start();
  EXPECT_THROW(t->start(), omni_thread_invalid);
  t->join(nullptr);
  const unsigned long before = omni_thread::stacksize();
  omni_thread::stacksize(1);
  EXPECT_THROW(omni_thread::create(&twice), omni_thread_fatal) << "a stack of one byte";
  omni_thread::stacksize(before);
}

}  // namespace
