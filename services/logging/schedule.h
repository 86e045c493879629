// SPDX-License-Identifier: Apache-2.0
// When a log is on duty (Telecom Log Service 1.1, 2.1): its interval, and within it its week mask, whose days and
// hours are UTC's.
#pragma once
#include <services/logging/times.h>
#include "DsLogAdmin.h"

namespace callis::logs {

inline constexpr CORBA::ULong kMostMaskItems = 1'000;  // also of the intervals of an item

// InvalidTime: a moment that the system's clock cannot show; InvalidTimeInterval: the stop is not after the start.
// 0 as start or stop: always on duty before or after.
void check(const DsLogAdmin::TimeInterval& interval);
// InvalidMask: no day, or bits that are no day; or more than kMostMaskItems. InvalidTime: hours above 23, minutes
// above 59. InvalidTimeInterval: the stop is not after the start, or intervals of a day overlap in one item.
void check(const DsLogAdmin::WeekMask& week);

// A mask without items is always on duty; the minute of a stop is still on duty.
bool on_duty(const DsLogAdmin::TimeInterval& interval, const DsLogAdmin::WeekMask& week, TimeT moment);

}  // namespace callis::logs
