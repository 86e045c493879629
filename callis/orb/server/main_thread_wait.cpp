// SPDX-License-Identifier: Apache-2.0
// Apart from the rest of MainThread, since only core/timed_run.cpp needs it.
#include <callis/orb/server/main_thread.h>

namespace callis::orb {

void MainThread::wait_for_task(std::chrono::steady_clock::time_point end) {
  std::unique_lock lock(mutex_);
  changed_.wait_until(lock, end, [this] { return stopped() || oldest_; });
}

}  // namespace callis::orb
