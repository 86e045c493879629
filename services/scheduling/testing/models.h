// SPDX-License-Identifier: Apache-2.0
// What the tests of the scheduling service share: models in a line, and random numbers that are the same everywhere.
#pragma once
#include <gtest/gtest.h>
#include <services/scheduling/schedule.h>
#include <cmath>
#include <random>

namespace callis::scheduling::testing {

using std::chrono::microseconds;
using std::chrono::milliseconds;

inline RtInfo periodic(const std::string& name, Time period, Time worst_case, Time deadline = Time(0)) {
  RtInfo out;
  out.entry_point = name;
  out.period = period;
  out.worst_case = worst_case;
  out.deadline = deadline;
  return out;
}

inline RtInfo passive(const std::string& name, Time worst_case, InfoKind kind = InfoKind::Operation) {
  RtInfo out;
  out.entry_point = name;
  out.worst_case = worst_case;
  out.kind = kind;
  return out;
}

inline void calls(Model& model, const char* from, const char* to, CallKind kind, std::uint32_t times = 1) {
  model.add({model.at(from), model.at(to), kind, times});
}
constexpr CallKind kOneWay = CallKind::OneWay, kTwoWay = CallKind::TwoWay;

// What is refused, and why; empty where nothing is.
template<class F>
std::string refusal(F&& f) {
  try {
    f();
    return {};
  } catch (const Refused& r) {
    return r.what();
  }
}

class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}
  double fraction() { return static_cast<double>(engine_() >> 11) * 0x1p-53; }
  // first to last
  std::int64_t between(std::int64_t first, std::int64_t last) {
    return first + static_cast<std::int64_t>(engine_() % static_cast<std::uint64_t>(last - first + 1));
  }
  bool one_in(std::int64_t n) { return between(1, n) == 1; }

 private:
  std::mt19937_64 engine_;
};

// n utilisations that add up to `all`, evenly distributed (UUniFast, Bini and Buttazzo 2005).
inline std::vector<double> uunifast(Random& random, std::size_t n, double all) {
  std::vector<double> out;
  double left = all;
  for (std::size_t i = 1; i < n; ++i) {
    const double next = left * std::pow(random.fraction(), 1.0 / static_cast<double>(n - i));
    out.push_back(left - next);
    left = next;
  }
  out.push_back(left);
  return out;
}

}  // namespace callis::scheduling::testing
