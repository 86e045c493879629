// SPDX-License-Identifier: Apache-2.0
// Schedulers with a clock that the test drives, their ORBs, and threads for the test to wait for.
#pragma once
#include <gtest/gtest.h>
#include <callis/poa/testing/orb_fixture.h>
#include <callis/rt/scheduling/scheduler.h>
#include <callis/rt/scheduling/thread_part.h>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace callis::rt::scheduling::testing {

// Stands still until it is set.
class ManualTime final : public TimeSource {
 public:
  Ticks now() const override { return now_.load(); }
  void set(Ticks t) { now_.store(t); }
  void advance(Ticks t) { now_ += t; }

 private:
  std::atomic<Ticks> now_{1000};
};

inline SchedulerState& state_of(RTScheduling::Scheduler_ptr scheduler) {
  return *dynamic_cast<HasState&>(*scheduler).state();
}

inline Options by_turns(const TimeSource& time, unsigned places = 1) {
  Options o;
  o.order = Options::Order::Turns;
  o.places = places;
  o.time = &time;
  return o;
}

// Waits for what another thread is about to do.
template <class F>
void until(F&& holds) {
  while (!holds()) std::this_thread::yield();
}

// A record of what threads have done, in order.
class Log final {
 public:
  void add(std::string what) {
    const std::lock_guard lock(mutex_);
    all_.push_back(std::move(what));
  }
  std::vector<std::string> all() const {
    const std::lock_guard lock(mutex_);
    return all_;
  }

 private:
  mutable std::mutex mutex_;
  std::vector<std::string> all_;
};

// A flag that threads wait for.
class Signal final {
 public:
  void set() {
    set_.store(true);
    set_.notify_all();
  }
  void wait() const { set_.wait(false); }
  bool is_set() const { return set_.load(); }

 private:
  std::atomic<bool> set_{false};
};

// "ok", or the exception, its minor code without its owner and its completion.
template <class F>
std::string outcome_of(F&& f) {
  try {
    f();
    return "ok";
  } catch (const CORBA::SystemException& e) {
    static const char* const kCompleted[] = {" YES", " NO", " MAYBE"};
    return e._name() + (" " + std::to_string(e.minor() & 0xfff)) + kCompleted[e.completed()];
  } catch (const CORBA::UserException& e) {
    return e._name();
  }
}
inline const std::string kCancelledNo = "THREAD_CANCELLED 224 NO";
inline const std::string kCancelledYes = "THREAD_CANCELLED 224 YES";

// An ORB with that scheduler; nil: with none.
inline CORBA::ORB_ptr orb_with(RTScheduling::Scheduler_ptr scheduler, std::vector<std::string> options = {}) {
  static std::atomic<int> number{0};
  use_scheduler(scheduler);
  const std::string id = "scheduled" + std::to_string(++number);
  CORBA::ORB_ptr const orb = poa::testing::make_orb(id.c_str(), std::move(options));
  use_scheduler(nullptr);
  return orb;
}
inline RTScheduling::Current_ptr current_of(CORBA::ORB_ptr orb) {
  const CORBA::Object_var object = orb->resolve_initial_references("RTScheduler_Current");
  return RTScheduling::Current::_narrow(object.in());
}

// A scheduler by turns, with one place, and its ORB.
template <class S>
struct Scheduled : ::testing::Test {
  ManualTime time;
  classic::ReferenceVar<S> scheduler;
  CORBA::ORB_var orb;
  RTScheduling::Current_var current;

  explicit Scheduled(S* s(const Options&), unsigned places = 1) : scheduler(s(by_turns(time, places))) {
    orb = orb_with(scheduler.in());
    current = current_of(orb.in());
  }
  ~Scheduled() override { orb->destroy(); }

  SchedulerState& state() { return state_of(scheduler.in()); }
  Gate& gate() { return state().gate(); }
  std::vector<std::string> names() {
    const RTScheduling::Current::NameList_var list = current->current_scheduling_segment_names();
    std::vector<std::string> all;
    for (CORBA::ULong i = 0; i < list->length(); ++i) all.emplace_back(list.in()[i]);
    return all;
  }
  // Runs f in a thread, inside a segment of that name.
  std::thread in_segment(std::string name, CORBA::Policy_ptr parameter, std::function<void()> f) {
    return std::thread([this, name, p = CORBA::Policy_var(CORBA::Policy::_duplicate(parameter)), f] {
      current->begin_scheduling_segment(name.c_str(), p.in(), nullptr);
      f();
      current->end_scheduling_segment(name.c_str());
    });
  }
};

inline EDF_Scheduling::SchedulingParameterPolicy_ptr deadline(EDF_Scheduling::Scheduler_ptr s, Ticks at,
                                                              CORBA::Long importance = 0) {
  return s->create_scheduling_parameter({static_cast<TimeBase::TimeT>(at), importance});
}

}  // namespace callis::rt::scheduling::testing
