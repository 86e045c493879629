// SPDX-License-Identifier: Apache-2.0
// Terms of wants, for tests. Periods in milliseconds.
#pragma once
#include <services/events/realtime/wants.h>

namespace callis::events::testing {

inline Term event(SourceId source, EventType type) {
  return {Term::Kind::Event, source, type, std::chrono::milliseconds(0)};
}
inline Term every(long period) {
  return {Term::Kind::Interval, kAnySource, kAnyType, std::chrono::milliseconds(period)};
}
inline Term within(long period) {
  return {Term::Kind::Deadline, kAnySource, kAnyType, std::chrono::milliseconds(period)};
}

}  // namespace callis::events::testing
