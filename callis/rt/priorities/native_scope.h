// SPDX-License-Identifier: Apache-2.0
// NativeScope: gives the calling thread another native priority for a while, and puts back what it had, also where
// that was no real-time one. Two system calls and two more; lanes do without, since their threads have theirs for
// good.
#pragma once
#include <sched.h>

namespace callis::rt {

class NativeScope final {
 public:
  // False, and nothing has changed: the system refuses it.
  bool enter(int native) noexcept;
  void leave() noexcept;

 private:
  int policy_ = 0;
  sched_param param_{};
};

}  // namespace callis::rt
