// SPDX-License-Identifier: Apache-2.0
#include <services/logging/schedule.h>
#include <algorithm>
#include <utility>
#include <vector>

namespace callis::logs {

namespace {

constexpr TimeT kLatest = INT64_MAX;
constexpr unsigned kAllDays = 127;

unsigned minutes_of(const DsLogAdmin::Time24& time) { return time.hour * 60u + time.minute; }

}  // namespace

void check(const DsLogAdmin::TimeInterval& interval) {
  if (interval.start > kLatest || interval.stop > kLatest) throw DsLogAdmin::InvalidTime();
  if (interval.stop != 0 && interval.stop <= interval.start) throw DsLogAdmin::InvalidTimeInterval();
}

void check(const DsLogAdmin::WeekMask& week) {
  if (week.length() > kMostMaskItems) throw DsLogAdmin::InvalidMask();
  for (CORBA::ULong i = 0; i < week.length(); ++i) {
    const DsLogAdmin::WeekMaskItem& item = week[i];
    if (item.days == 0 || (item.days & ~kAllDays) != 0 || item.intervals.length() > kMostMaskItems)
      throw DsLogAdmin::InvalidMask();
    std::vector<std::pair<unsigned, unsigned>> spans;
    for (CORBA::ULong j = 0; j < item.intervals.length(); ++j) {
      const DsLogAdmin::Time24Interval& span = item.intervals[j];
      for (const DsLogAdmin::Time24* const time : {&span.start, &span.stop})
        if (time->hour > 23 || time->minute > 59) throw DsLogAdmin::InvalidTime();
      if (minutes_of(span.stop) <= minutes_of(span.start)) throw DsLogAdmin::InvalidTimeInterval();
      spans.emplace_back(minutes_of(span.start), minutes_of(span.stop));
    }
    std::sort(spans.begin(), spans.end());
    for (std::size_t j = 1; j < spans.size(); ++j)
      if (spans[j].first <= spans[j - 1].second) throw DsLogAdmin::InvalidTimeInterval();
  }
}

bool on_duty(const DsLogAdmin::TimeInterval& interval, const DsLogAdmin::WeekMask& week, TimeT moment) {
  if (moment < interval.start || (interval.stop != 0 && moment >= interval.stop)) return false;
  if (week.length() == 0) return true;
  if (moment < kUnixEpoch) return false;
  const std::uint64_t minutes = (moment - kUnixEpoch) / (60 * kTicksOfSecond);
  const auto day =
      static_cast<unsigned>((minutes / (24 * 60) + 4) % 7);  // 1 January 1970 was a Thursday; Sunday is 0
  const auto minute = static_cast<unsigned>(minutes % (24 * 60));
  for (CORBA::ULong i = 0; i < week.length(); ++i) {
    if (((unsigned{week[i].days} >> day) & 1u) == 0) continue;
    const DsLogAdmin::IntervalsOfDay& spans = week[i].intervals;
    if (spans.length() == 0) return true;
    for (CORBA::ULong j = 0; j < spans.length(); ++j)
      if (minute >= minutes_of(spans[j].start) && minute <= minutes_of(spans[j].stop)) return true;
  }
  return false;
}

}  // namespace callis::logs
