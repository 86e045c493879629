// SPDX-License-Identifier: Apache-2.0
// Lane: threads of one priority, a pool (services/events/pool.h), and the jobs that wait for them. `threads` are
// there from the beginning, and so many are at work at once. Any thread.
#pragma once
#include <services/events/pool.h>
#include <algorithm>
#include <limits>

namespace callis::rtevents {

class Lane final {
 public:
  using Clock = events::Pool::Clock;
  using Time = events::Pool::Time;
  using Next = events::Pool::Next;
  using Job = events::Pool::Task;
  using JobPtr = events::Pool::TaskPtr;

  struct Options {
    std::int16_t priority = 0;   // a CORBA priority
    unsigned threads = 2;        // 1 at least
    unsigned most_threads = 16;  // 2 at least
    std::function<void(std::int16_t priority)> begin;  // each thread calls it first; must not throw
  };

  static constexpr std::chrono::milliseconds kBlocked = events::Pool::kBlocked, kSlow{100};

  // Starts its threads. Throws std::system_error where none can be started.
  explicit Lane(const Options& options) : priority_(options.priority), pool_(pool_options(options)) {}

  void wake(const JobPtr& job) { pool_.wake(job); }
  // Runs f once, when there is no job; it must not throw.
  void run(std::function<void()> f) { pool_.run(std::move(f), std::numeric_limits<std::int32_t>::min()); }
  // Waits for the jobs that run; none is run any more.
  void stop() { pool_.stop(); }

  std::int16_t priority() const { return priority_; }
  std::size_t threads() const { return pool_.threads(); }

 private:
  static events::Pool::Options pool_options(const Options& options) {
    events::Pool::Options out;
    out.threads = options.most_threads;
    out.slow_after = kSlow;
    out.at_once = std::max(1u, options.threads);
    out.start_at_once = true;
    out.name = "callis-rt-lane";
    if (options.begin) out.begin = [begin = options.begin, priority = options.priority] { begin(priority); };
    return out;
  }

  const std::int16_t priority_;
  events::Pool pool_;
};

}  // namespace callis::rtevents
