// SPDX-License-Identifier: Apache-2.0
#include <callis/base/log.h>
#include <callis/base/thread.h>
#include <callis/rt/scheduling/native.h>
#include <sched.h>

namespace callis::rt::scheduling {

NativePriority native_priority() noexcept {
  // The kernel is asked. pthread_getschedparam() gives a new thread the priority of its maker, also if the thread has
  // not inherited it.
  NativePriority now;
  sched_param parameter{};
  now.policy = ::sched_getscheduler(0);
  if (now.policy < 0) now.policy = SCHED_OTHER;
  if (::sched_getparam(0, &parameter) == 0) now.priority = parameter.sched_priority;
  return now;
}

int set_native_priority(pthread_t thread, const NativePriority& to) noexcept {
  sched_param parameter{};
  parameter.sched_priority = to.priority;
  return ::pthread_setschedparam(thread, to.policy, &parameter);
}

void restore_native_priority(pthread_t thread, NativePriority to) noexcept {
  if (set_native_priority(thread, to) == 0) return;
  to.policy |= SCHED_RESET_ON_FORK;
  if (const int error = set_native_priority(thread, to); error != 0)
    log_failed("setting back the native priority of a thread that leaves its scheduling segments", error);
}

int may_run_fifo(int priority) noexcept {
  int outcome = 0;
  Thread thread;
  const int error = thread.start({"callis-try-fifo"}, [&outcome, priority] {
    outcome = set_native_priority(::pthread_self(), {SCHED_FIFO, priority});
  });
  if (error != 0) return error;
  thread.join();
  return outcome;
}

}  // namespace callis::rt::scheduling
