// SPDX-License-Identifier: Apache-2.0
#include <services/logging/times.h>

namespace callis::logs {

TimeT now() {
  using namespace std::chrono;
  const auto since = system_clock::now().time_since_epoch();
  return kUnixEpoch + static_cast<TimeT>(duration_cast<nanoseconds>(since).count()) / 100;
}

}  // namespace callis::logs
