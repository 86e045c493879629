// SPDX-License-Identifier: Apache-2.0
// Turn: held around code that runs one at a time: upcalls of an adapter with SINGLE_THREAD_MODEL, and calls of
// servant managers. Turns of one thread nest. Private to the adapters.
#pragma once
#include <callis/base/blocking_scope.h>
#include <mutex>

namespace callis::poa {

class Turn final {
 public:
  explicit Turn(std::recursive_mutex& mutex) : mutex_(mutex) { take(); }
  ~Turn() { mutex_.unlock(); }
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;

 private:
  void take();
  std::recursive_mutex& mutex_;
};

}  // namespace callis::poa
