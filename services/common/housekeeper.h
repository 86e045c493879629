// SPDX-License-Identifier: Apache-2.0
// Housekeeper: a thread that tells systemd's watchdog of the service's health, and writes counters to the log. There
// is no thread unless one of these duties is asked for.
#pragma once
#include <callis/base/thread.h>
#include <services/common/stats.h>
#include <chrono>
#include <condition_variable>
#include <functional>

namespace callis::services {

class Housekeeper final {
 public:
  struct Duties {
    std::chrono::microseconds watchdog{0};  // the interval that systemd gave; it is told twice as often
    std::chrono::seconds stats{0};
    std::function<bool()> healthy;
    std::function<void()> write_stats;
  };
  // Starts the thread if there is a duty.
  explicit Housekeeper(Duties duties);
  ~Housekeeper() { stop(); }
  void stop();

 private:
  void keep();

  const Duties duties_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool running_ = false, stop_ = false;
  Thread thread_;
};

}  // namespace callis::services
