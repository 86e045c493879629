// SPDX-License-Identifier: Apache-2.0
#include <callis/base/clock.h>
#include <climits>
#include <ctime>

namespace callis {

namespace {
class SteadyClock final : public Clock {
 public:
  TimePoint now() const override { return std::chrono::steady_clock::now(); }
};
constinit SteadyClock g_steady;
}  // namespace

const Clock& Clock::steady() { return g_steady; }

[[gnu::hot]] TimePoint Clock::coarse() noexcept {
#ifdef CLOCK_MONOTONIC_COARSE  // the clock that libstdc++ and libc++ call steady, but for the precision
  timespec t;
  if (::clock_gettime(CLOCK_MONOTONIC_COARSE, &t) == 0) [[likely]]
    return TimePoint(std::chrono::seconds(t.tv_sec) + std::chrono::nanoseconds(t.tv_nsec));
#endif
  return g_steady.now();
}

Deadline Deadline::in(Duration after, const Clock& clock) {
  if (after.count() <= 0) return never();
  return at(clock.now() + after);
}

int Deadline::poll_ms(const Clock& clock) const {
  if (is_never()) return -1;
  const auto left = at_ - clock.now();
  if (left <= left.zero()) return 0;
  const auto ms = std::chrono::ceil<std::chrono::milliseconds>(left).count();
  return ms > INT_MAX ? INT_MAX : static_cast<int>(ms);
}

}  // namespace callis
