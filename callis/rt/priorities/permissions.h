// SPDX-License-Identifier: Apache-2.0
// Asks what the operating system lets this process do for real time: priorities of SCHED_FIFO, and memory that stays.
#pragma once
#include <cstddef>
#include <string>

namespace callis::rt {

// Says whether threads of this process can have priorities of SCHED_FIFO. A trial tells: the calling thread has such
// a priority for a moment, and then its earlier one again.
struct FifoPermission {
  int error = 0;      // of the trial: 0: it can
  bool capable = false;  // CAP_SYS_NICE
  int most = 0;          // RLIMIT_RTPRIO, which counts without CAP_SYS_NICE

  bool granted() const { return error == 0; }
  static FifoPermission look() noexcept;
  // Why not, and what to set: "..."
  std::string words() const;
};

// Locks all memory of the process, that of now and of later (mlockall), and touches the calling thread's stack. Empty
// when done; otherwise why not, and what to set.
std::string lock_memory();
// Touches so many bytes of the calling thread's stack below this call, so that they need no page fault later; no more
// than there are.
void touch_stack(std::size_t bytes) noexcept;

}  // namespace callis::rt
