// SPDX-License-Identifier: Apache-2.0
// Timekeeper: the thread that tells channels when intervals and deadlines have passed.
#pragma once
#include <callis/base/clock.h>
#include <callis/base/thread.h>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>

namespace callis::rtevents {

class Timekeeper final {
 public:
  // expire: tells what has passed, and returns when it is to be called next; one call at a time. begin: the thread
  // calls it first. Times are those of the steady clock. Throws std::system_error where there is no thread.
  Timekeeper(std::function<TimePoint()> expire, std::function<void()> begin);
  ~Timekeeper() { stop(); }
  Timekeeper(const Timekeeper&) = delete;
  Timekeeper& operator=(const Timekeeper&) = delete;

  // expire() may be due earlier than it said. Any thread.
  void look_again();
  void stop();

 private:
  void keep_time();

  const std::function<TimePoint()> expire_;
  const std::function<void()> begin_;
  std::mutex mutex_;  // guards what follows
  std::condition_variable changed_;
  bool look_again_ = false, stopped_ = false;
  Thread thread_;
};

}  // namespace callis::rtevents
