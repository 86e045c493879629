// SPDX-License-Identifier: Apache-2.0
// Native priorities: the scheduling class and priority that the operating system runs a thread by.
#pragma once
#include <pthread.h>

namespace callis::rt::scheduling {

// What a native thread runs by: SCHED_OTHER, SCHED_FIFO ... and its priority.
struct NativePriority {
  int policy = 0;
  int priority = 0;
};

// Of the calling thread.
NativePriority native_priority() noexcept;
// 0 or an errno. The thread has not ended. With SCHED_RESET_ON_FORK in the policy the threads that it makes do not
// have the same.
int set_native_priority(pthread_t thread, const NativePriority& to) noexcept;
// Back to what it had before SCHED_RESET_ON_FORK was set. A process without CAP_SYS_NICE cannot take that away again.
void restore_native_priority(pthread_t thread, NativePriority to) noexcept;

// Whether this process may run threads by SCHED_FIFO with that priority: 0 or an errno. Tries it with a thread that
// ends at once.
int may_run_fifo(int priority) noexcept;

}  // namespace callis::rt::scheduling
