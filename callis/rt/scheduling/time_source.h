// SPDX-License-Identifier: Apache-2.0
// TimeSource: the clock for deadlines. It is an interface, so that tests can drive the time.
#pragma once
#include <callis/rt/scheduling/discipline.h>

namespace callis::rt::scheduling {

class TimeSource {
 public:
  // UTC. Any thread, under the scheduler's lock: must not wait.
  virtual Ticks now() const = 0;
  // The system's; lives as long as the process.
  static const TimeSource& system();

 protected:
  ~TimeSource() = default;
};

}  // namespace callis::rt::scheduling
