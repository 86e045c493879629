// SPDX-License-Identifier: Apache-2.0
// Pool: a bounded number of threads that run tasks, each by one thread at a time. Threads are started as they are
// needed. A task that took long is slow until it takes less: slow ones use half of the threads at most, so that those
// that wait for dead peers leave the other half to the rest. Any thread.
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

  explicit Pool(const Options& options) : options_(options) {}
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

 private:
  void enqueue(TaskPtr task);
  TaskPtr next();
  void keep_running();
  void start_thread();

  const Options options_;
  mutable std::mutex mutex_;  // guards what follows
  std::condition_variable changed_;
  std::deque<TaskPtr> ready_, slow_;
  std::multimap<Time, TaskPtr> waiting_;
  std::list<Thread> threads_;
  std::size_t resting_ = 0, slow_running_ = 0;
  bool slow_turn_ = false, stopped_ = false;
};

}  // namespace callis::events
