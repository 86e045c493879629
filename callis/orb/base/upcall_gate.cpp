// SPDX-License-Identifier: Apache-2.0
#include <callis/orb/base/upcall_gate.h>

namespace callis::orb {

void UpcallGate::wait_to_begin() {
  std::unique_lock lock(mutex_);
  waiting_.fetch_add(1, std::memory_order_seq_cst);
  ended_.wait(lock, [this] { return try_begin(); });
  waiting_.fetch_sub(1, std::memory_order_relaxed);
}

void UpcallGate::wake_one() {
  std::lock_guard lock(mutex_);
  ended_.notify_one();
}

}  // namespace callis::orb
