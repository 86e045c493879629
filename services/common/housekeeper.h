// SPDX-License-Identifier: Apache-2.0
// The thread that tells systemd's watchdog that the service is well, and writes counters to the log. Only where one
// of the two is asked for.
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
  // Starts the thread where there is a duty.
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
