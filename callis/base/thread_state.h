// SPDX-License-Identifier: Apache-2.0
// What the system says of a thread of this process.
#pragma once
#include <sys/types.h>

namespace callis {

// Whether the thread runs, or would if there were a processor for it; false: it waits for something, or there is no
// such thread, or the system does not say. thread: its id, of gettid(). A few microseconds: three system calls.
bool is_runnable(pid_t thread) noexcept;

}  // namespace callis
