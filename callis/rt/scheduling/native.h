// SPDX-License-Identifier: Apache-2.0
// Native priorities: the scheduling class and priority that the operating system runs a thread by.
#pragma once
#include <pthread.h>

namespace callis::rt::scheduling {

// The scheduling class of a native thread (SCHED_OTHER, SCHED_FIFO ...) and its priority.
struct NativePriority {
  int policy = 0;
  int priority = 0;
};

// Returns the native priority of the calling thread.
NativePriority native_priority() noexcept;
// Returns 0 or an errno. The thread must not have ended. With SCHED_RESET_ON_FORK in the policy, threads that it
// makes do not inherit policy and priority.
int set_native_priority(pthread_t thread, const NativePriority& to) noexcept;
// Restores the priority before SCHED_RESET_ON_FORK was set. A process without CAP_SYS_NICE cannot take this flag away
// again.
void restore_native_priority(pthread_t thread, NativePriority to) noexcept;

// Returns 0 if this process may run threads by SCHED_FIFO with that priority, else an errno. A thread that ends at
// once tries.
int may_run_fifo(int priority) noexcept;

}  // namespace callis::rt::scheduling
