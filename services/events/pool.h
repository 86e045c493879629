// SPDX-License-Identifier: Apache-2.0
// Pool: a bounded number of threads that run tasks, each task by one thread at a time. The most urgent task runs
// next; of equally urgent tasks the one that has waited longest. A part of a task that has begun is not interrupted.
// Any thread may call.
//
//   wake(task) ──→ ready, by urgency ──→ a thread: Task::run() ──→ Rest
//                     ↑                       │ ├──→ Again: behind the others of its urgency
//                     └───────────────────────┘ └──→ At: when that time comes
//
// `at_once` threads work at once. A thread that has been in its task for longer than kBlocked waits for a peer, and a
// further thread goes to work in its place, up to `threads`. A task that took long is slow until it takes less time.
// Slow tasks have half of the threads at most, so tasks that wait for dead peers leave the other half to the rest.
#pragma once
#include <callis/base/thread.h>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <mutex>

namespace callis::events {

class Pool {
 public:
  using Clock = std::chrono::steady_clock;
  using Time = Clock::time_point;

  // The next wish of a task.
  struct Next {
    enum Kind : std::uint8_t { Rest, Again, At } kind = Rest;
    Time at{};  // of At
  };
  class Task {
   public:
    explicit Task(std::int32_t urgency = 0) : urgency_(urgency) {}
    virtual ~Task() = default;
    // A part of its work. Must not throw.
    virtual Next run() noexcept = 0;
    std::int32_t urgency() const { return urgency_; }

   private:
    friend class Pool;
    enum class State : std::uint8_t { Resting, Ready, Running, Waiting };
    const std::int32_t urgency_;
    State state_ = State::Resting;           // all under the pool's mutex
    bool woken_ = false, slow_ = false;
  };
  using TaskPtr = std::shared_ptr<Task>;

  struct Options {
    unsigned threads = 32;  // 2 at least
    std::chrono::milliseconds slow_after{100};
    unsigned at_once = 0;        // working threads, beside waiting ones; 0: one for each processor
    bool start_at_once = false;  // so many are there from the beginning; otherwise as they are needed
    std::function<void()> begin = {};  // each thread calls it first; must not throw
    const char* name = "callis-events";  // of its threads, as ThreadOptions has it
  };

  static constexpr std::chrono::milliseconds kBlocked{25};  // a turn of a lane takes less

  // start_at_once: throws std::system_error where no thread can be started.
  explicit Pool(const Options& options);
  ~Pool() { stop(); }
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

  // Runs the task, once more when it is running now. One that waits for its time goes on waiting.
  void wake(const TaskPtr& task);
  // Runs f once, when no task is more urgent; it must not throw.
  void run(std::function<void()> f, std::int32_t urgency = 0);
  // Waits for the tasks that run; none is run any more.
  void stop();

  std::size_t threads() const;
  // Whether a thread waits until a further one may work.
  bool watches() const;

 private:
  // By urgency; in each in the order in which they came.
  using Ready = std::multimap<std::int32_t, TaskPtr, std::greater<>>;

  void put(TaskPtr task);
  // A thread that takes what there is, or waits until it may; none where one waits so already.
  void call_another(Time now);
  // The time at which a further thread may work: now, or when the counted thread that has worked longest counts as
  // blocked.
  Time free_at(Time now) const;
  bool slow_may() const { return !slow_.empty() && slow_running_ < options_.threads / 2; }
  TaskPtr next(Time now);
  void rest(std::unique_lock<std::mutex>& lock, Time now);
  void keep_running();
  void run_one(std::unique_lock<std::mutex>& lock, TaskPtr task, Time now);
  int start_thread();

  const Options options_;
  const std::size_t at_once_;
  mutable std::mutex mutex_;  // guards what follows
  std::condition_variable changed_;
  Ready ready_, slow_;
  std::multimap<Time, TaskPtr> waiting_;
  std::list<Time> working_;  // since when each thread has been in a task that is not slow; in this order
  std::list<Thread> threads_;
  std::size_t resting_ = 0, slow_running_ = 0;
  bool watched_ = false;  // a thread waits until a further one may work
  bool slow_turn_ = false, stopped_ = false, told_ = false;
};

}  // namespace callis::events
