// SPDX-License-Identifier: Apache-2.0
// Lane: threads of one priority, and the jobs that wait for them. The most urgent job runs next, and of those the one
// that has waited longest; a job that a thread has taken is not interrupted. Any thread.
//
//   wake(job) ──→ ready, by urgency ──→ a thread: Job::run() ──→ Rest
//                    ↑                       │ ├──→ Again: behind the others of its urgency
//                    └───────────────────────┘ └──→ At: when that time comes
//
// `threads` are there from the beginning, and so many are at work at once. One that has been in its job for longer
// than kBlocked waits for a peer, and a further thread goes to work in its place, up to `most_threads`. A job that
// took longer than kSlow is slow until it takes less: slow ones have half of the threads at most, so those that wait
// for peers that do not answer leave the other half to the rest.
#pragma once
#include <callis/base/thread.h>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <mutex>

namespace callis::rtevents {

class Lane {
 public:
  using Clock = std::chrono::steady_clock;
  using Time = Clock::time_point;

  struct Next {
    enum Kind : std::uint8_t { Rest, Again, At } kind = Rest;
    Time at{};  // of At
  };
  class Job {
   public:
    explicit Job(std::int32_t urgency) : urgency_(urgency) {}
    virtual ~Job() = default;
    // A part of its work; one thread at a time. Must not throw.
    virtual Next run() noexcept = 0;
    std::int32_t urgency() const { return urgency_; }

   private:
    friend class Lane;
    enum class State : std::uint8_t { Resting, Ready, Running, Waiting };
    const std::int32_t urgency_;
    State state_ = State::Resting;  // under the lane's mutex, as what follows
    bool woken_ = false, slow_ = false;
  };
  using JobPtr = std::shared_ptr<Job>;

  struct Options {
    std::int16_t priority = 0;   // a CORBA priority
    unsigned threads = 2;        // 1 at least
    unsigned most_threads = 16;  // 2 at least
    std::function<void(std::int16_t priority)> begin;  // each thread calls it first; must not throw
  };

  static constexpr std::chrono::milliseconds kBlocked{25}, kSlow{100};

  // Starts its threads. Throws std::system_error where none can be started.
  explicit Lane(const Options& options);
  ~Lane() { stop(); }
  Lane(const Lane&) = delete;
  Lane& operator=(const Lane&) = delete;

  // Runs the job, once more when it is running now. One that waits for its time goes on waiting.
  void wake(const JobPtr& job);
  // Runs f once, when nothing is more urgent; it must not throw.
  void run(std::function<void()> f);
  // Waits for the jobs that run; none is run any more.
  void stop();

  std::int16_t priority() const { return options_.priority; }
  std::size_t threads() const;

 private:
  using Ready = std::map<std::int32_t, std::deque<JobPtr>, std::greater<>>;  // no empty ones

  static JobPtr first_of(Ready& ready);
  void put(JobPtr job);
  void call_another(Time now);
  JobPtr next(Time now);
  // When a further thread may go to work: now, or later.
  Time free_at(Time now) const;
  void rest(std::unique_lock<std::mutex>& lock, Time now);
  void keep_running();
  void run_one(std::unique_lock<std::mutex>& lock, JobPtr job, Time now);
  int start_thread();
  bool slow_may() const { return !slow_.empty() && slow_running_ < options_.most_threads / 2; }

  const Options options_;
  mutable std::mutex mutex_;  // guards what follows
  std::condition_variable changed_;
  Ready ready_, slow_;
  std::multimap<Time, JobPtr> waiting_;
  std::list<Time> working_;  // since when each thread has been in a job that is not slow; in this order
  std::list<Thread> threads_;
  std::size_t resting_ = 0, slow_running_ = 0;
  bool watched_ = false;  // a thread waits until a further one may go to work
  bool slow_turn_ = false, stopped_ = false, told_ = false;
};

}  // namespace callis::rtevents
