// SPDX-License-Identifier: Apache-2.0
// Pool: a bounded number of threads that run tasks, each by one thread at a time. Threads are started as they are
// needed: as many as there are processors work at once, and one more for each that has been in its task for longer
// than kBlocked, since that waits for a peer. A task that took long is slow until it takes less, and is taken for one
// that waits from the start: slow ones use half of the threads at most, so that those that wait for dead peers leave
// the other half to the rest. Any thread.
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

namespace callis::events {

class Pool {
 public:
  using Clock = std::chrono::steady_clock;
  using Time = Clock::time_point;

  // What a task wants next.
  struct Next {
    enum Kind : std::uint8_t { Rest, Again, At } kind = Rest;
    Time at{};  // of At
  };
  class Task {
   public:
    virtual ~Task() = default;
    // A part of its work. Must not throw.
    virtual Next run() noexcept = 0;

   private:
    friend class Pool;
    enum class State : std::uint8_t { Resting, Ready, Running, Waiting };
    State state_ = State::Resting;           // all under the pool's mutex
    bool woken_ = false, slow_ = false;
  };
  using TaskPtr = std::shared_ptr<Task>;

  struct Options {
    unsigned threads = 32;                       // 2 at least
    std::chrono::milliseconds slow_after{100};
  };

  static constexpr std::chrono::milliseconds kBlocked{25};  // a turn of a lane takes less

  explicit Pool(const Options& options);
  ~Pool() { stop(); }
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

  // Runs the task, once more when it is running now. One that waits for its time goes on waiting.
  void wake(const TaskPtr& task);
  // Runs f once; it must not throw.
  void run(std::function<void()> f);
  // Waits for the tasks that run; none is run any more.
  void stop();

  std::size_t threads() const;
  // Whether a thread waits until a further one may work.
  bool watches() const;

 private:
  void enqueue(TaskPtr task);
  void call_thread(Time now);
  // When a further thread may work: now, or when the one that has been at work for longest of those that count is
  // taken for blocked.
  Time free_at(Time now) const;
  bool slow_may() const { return !slow_.empty() && slow_running_ < options_.threads / 2; }
  bool is_work() const { return !ready_.empty() || slow_may(); }
  void rest(std::unique_lock<std::mutex>& lock, Time free);
  TaskPtr next(bool quick_may);
  void keep_running();
  void start_thread();

  const Options options_;
  const std::size_t at_once_;  // threads that work, beside those that are blocked
  mutable std::mutex mutex_;  // guards what follows
  std::condition_variable changed_;
  std::deque<TaskPtr> ready_, slow_;
  std::multimap<Time, TaskPtr> waiting_;
  std::list<Time> working_;  // since when each thread has been in a task that is not slow; in this order
  std::list<Thread> threads_;
  std::size_t resting_ = 0, slow_running_ = 0;
  bool watched_ = false;  // a thread waits until a further one may work
  bool slow_turn_ = false, stopped_ = false;
};

}  // namespace callis::events
