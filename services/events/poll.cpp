// SPDX-License-Identifier: Apache-2.0
#include <callis/base/text.h>
#include <services/events/poll.h>
#include <algorithm>

namespace callis::events {

Pool::Next Poll::give_up(const std::string& why) {
  if (ended_.exchange(true)) return {};
  source_->dropped(why);
  ++tally_.dropped;
  return {};
}

Pool::Next Poll::pause() {
  pause_ = pause_.count() == 0 ? options_.first_pause : std::min(pause_ * 2, options_.longest_pause);
  return {Pool::Next::At, Pool::Clock::now() + pause_};
}

Pool::Next Poll::run() noexcept {
  constexpr int kMostAtOnce = 16;
  for (int i = 0; i < kMostAtOnce; ++i) {
    if (ended_) return {};
    switch (source_->ask()) {
      case Source::Result::Event:
        failures_ = 0;
        pause_ = {};
        break;
      case Source::Result::Nothing: failures_ = 0; return pause();
      case Source::Result::Gone: return give_up("it has disconnected, or does not exist any more");
      case Source::Result::Failed:
        ++tally_.failed;
        if (++failures_ < options_.failures) return pause();
        return give_up(
            concat({Decimal(failures_), failures_ == 1 ? " call failed" : " calls failed one after the other"}));
    }
  }
  return {Pool::Next::Again, {}};
}

}  // namespace callis::events
