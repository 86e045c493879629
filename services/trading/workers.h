// SPDX-License-Identifier: Apache-2.0
// Workers: threads that make calls to others for queries: of dynamic properties, of linked traders. They are started
// when they are needed. What a query waits for ends at its deadline; a call that hangs keeps its thread until the
// call's own deadline. Any thread.
#pragma once
#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace callis::trading {

class Workers final {
 public:
  using Task = std::function<void()>;

  explicit Workers(std::size_t most) : most_(most) {}
  // Waits for calls that run.
  ~Workers() { stop(); }
  // Tasks that wait are dropped; run() returns.
  void stop();

  // Runs the tasks, several at once, and returns when they are done or `limit` is over: those that have not begun by
  // then are dropped, those that run go on. So what they use belongs to them. They throw nothing.
  void run(std::vector<Task>&& tasks, std::chrono::milliseconds limit);
  std::size_t threads() const;

 private:
  struct Batch {
    std::size_t left = 0;
    bool over = false;
  };
  struct Item {
    std::shared_ptr<Batch> batch;
    Task task;
  };
  void work();

  const std::size_t most_;
  mutable std::mutex mutex_;  // guards what follows
  std::condition_variable some_, done_;
  std::deque<Item> queue_;
  std::vector<std::thread> threads_;
  std::size_t idle_ = 0;
  bool stop_ = false;
};

}  // namespace callis::trading
