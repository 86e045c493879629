// SPDX-License-Identifier: Apache-2.0
// NativeScope: gives the calling thread another native priority for a while. leave() puts back the priority before,
// also if it was no real-time priority. Each takes two system calls. Lanes need none: their threads keep one
// priority.
#pragma once
#include <sched.h>

namespace callis::rt {

class NativeScope final {
 public:
  // Returns false, and changes nothing, if the system refuses.
  bool enter(int native) noexcept;
  void leave() noexcept;

 private:
  int policy_ = 0;
  sched_param param_{};
};

}  // namespace callis::rt
