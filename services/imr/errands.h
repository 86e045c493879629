// SPDX-License-Identifier: Apache-2.0
// Errands: what the repository asks of servers and activators, which may take until their deadline, or hang. Errands
// to one of them follow each other; those to others do not wait for them.
//
// Threads are made as errands need them, kMostThreads at most, and stay. With so many peers that hang, errands to
// others wait until a deadline has passed. Any thread.
#pragma once
#include <callis/base/thread.h>
#include <condition_variable>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <vector>

namespace callis::imr {

class Errands final {
 public:
  static constexpr std::size_t kMostThreads = 64;

  Errands() = default;
  Errands(const Errands&) = delete;
  Errands& operator=(const Errands&) = delete;
  ~Errands() { stop(); }

  // Behind those to the same peer. The errand must not throw. Nothing is done after stop(), nor where the first
  // thread cannot be made.
  void add(const std::string& whom, std::function<void()> errand);
  // Waits for those that run; the others are not run any more. Once, by who destroys it.
  void stop();

 private:
  void run();

  std::mutex mutex_;  // guards what follows
  std::condition_variable work_;
  std::map<std::string, std::deque<std::function<void()>>> queues_;  // of peers with an errand that waits or runs
  std::deque<std::string> ready_;                                    // peers whose first errand nobody runs yet
  std::size_t idle_ = 0;
  bool stop_ = false;
  std::vector<Thread> threads_;
};

}  // namespace callis::imr
