// SPDX-License-Identifier: Apache-2.0
#include <callis/base/log.h>
#include <services/common/housekeeper.h>
#include <services/common/sd_notify.h>

namespace callis::services {

Housekeeper::Housekeeper(Duties duties) : duties_(std::move(duties)) {
  if (duties_.watchdog.count() == 0 && duties_.stats.count() == 0) return;
  const int error = thread_.start({"callis-keeper"}, [this] { keep(); });
  if (error != 0) log_failed("no thread for the watchdog and --stats-every", error);
  running_ = error == 0;
}

void Housekeeper::stop() {
  if (!running_) return;
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  changed_.notify_one();
  thread_.join();
  running_ = false;
}

void Housekeeper::keep() {
  using Steady = std::chrono::steady_clock;
  const auto never = Steady::time_point::max();
  Steady::time_point watchdog = duties_.watchdog.count() ? Steady::now() : never;
  Steady::time_point stats = duties_.stats.count() ? Steady::now() + duties_.stats : never;
  bool was_well = true;
  std::unique_lock lock(mutex_);
  while (!stop_) {
    if (Steady::now() < std::min(watchdog, stats)) {
      changed_.wait_until(lock, std::min(watchdog, stats));
      continue;
    }
    lock.unlock();
    if (Steady::now() >= watchdog) {
      const bool well = duties_.healthy();
      if (well) notify("WATCHDOG=1");
      if (was_well && !well) log(LogLevel::Error, "the service is not well: the watchdog is not told any more");
      was_well = well;
      watchdog = Steady::now() + duties_.watchdog / 2;
    }
    if (Steady::now() >= stats) {
      duties_.write_stats();
      stats += duties_.stats;
    }
    lock.lock();
  }
}

}  // namespace callis::services
