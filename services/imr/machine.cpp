// SPDX-License-Identifier: Apache-2.0
// What each event does in each state.
#include <services/imr/machine.h>
#include <algorithm>

namespace callis::imr {

namespace {

std::string seconds(std::chrono::nanoseconds time) {
  const auto ms = std::chrono::ceil<Milliseconds>(time).count();
  return std::to_string(ms / 1000) + "." + std::to_string(ms % 1000 / 100) + " s";
}

std::string times(std::uint32_t n) {
  return n == 1 ? std::string("once") : std::to_string(n) + " times";
}

}  // namespace

const char* word(Machine::State state) {
  switch (state) {
    case Machine::State::Stopped: return "stopped";
    case Machine::State::Starting: return "starting";
    case Machine::State::Running: return "running";
    case Machine::State::BackingOff: return "backing-off";
    case Machine::State::Stopping: return "stopping";
  }
  return "";
}

const char* word(Activation activation) {
  switch (activation) {
    case Activation::OnDemand: return "on-demand";
    case Activation::Always: return "always";
    case Activation::ByHand: return "by-hand";
    case Activation::PerClient: return "per-client";
  }
  return "";
}

std::optional<Time> Machine::wakes_at() const {
  switch (state_) {
    case State::Starting:
      if (killed_) return {};
      return since_ + terms_.start_deadline;
    case State::BackingOff: return since_ + pause_;
    case State::Stopping:
      if (killed_) return {};
      return since_ + terms_.stop_deadline;
    case State::Stopped: case State::Running: break;
  }
  return {};
}

Machine::Answer Machine::wanted(Time now, Action& action) {
  action = Action::None;
  if (state_ == State::BackingOff) action = tick(now);
  switch (state_) {
    case State::Running: return Answer::Forward;
    case State::Starting: case State::Stopping: return Answer::Wait;
    case State::BackingOff: return Answer::Refuse;
    case State::Stopped: break;
  }
  if (given_up_ || !terms_.can_start || terms_.activation == Activation::ByHand) return Answer::Refuse;
  action = launch(now);
  return Answer::Wait;
}

std::string Machine::refusal(Time now) const {
  const std::string last = reason_.empty() ? "" : ": " + reason_;
  if (given_up_) {
    return "it has failed " + times(failures_) + " in a row, which is its start limit" + last +
           "; `callis imr start` starts it again";
  }
  if (state_ == State::BackingOff) {
    const auto left = std::max<std::chrono::nanoseconds>(since_ + pause_ - now, std::chrono::nanoseconds(0));
    return "it has failed " + times(failures_) + last + "; it can be started again in " + seconds(left);
  }
  if (state_ != State::Stopped) return reason_;
  if (!terms_.can_start) return "it is not running, and has no command line to start it by" + last;
  if (terms_.activation == Activation::ByHand)
    return "it is not running, and is started by hand alone (`callis imr start`)" + last;
  return reason_;
}

Machine::Action Machine::launch(Time now) {
  go(State::Starting, now);
  process_ = asked_ = killed_ = false;
  ++launches_;
  return Action::Launch;
}

Machine::Action Machine::start(Time now) {
  failures_ = 0;
  given_up_ = false;
  if (terms_.activation == Activation::PerClient && state_ == State::BackingOff) go(State::Stopped, now);
  if (!terms_.can_start || terms_.activation == Activation::PerClient) return Action::None;
  if (state_ == State::Stopped || state_ == State::BackingOff) return launch(now);
  return Action::None;
}

Machine::Action Machine::stop(Time now) {
  switch (state_) {
    case State::Stopped: return Action::None;
    case State::BackingOff:
      go(State::Stopped, now);
      reason_ = "stopped by an operator";
      return Action::None;
    case State::Stopping:
      asked_ = true;
      return Action::None;
    case State::Starting: case State::Running: break;
  }
  asked_ = true;
  go(State::Stopping, now);
  return Action::Ask;
}

bool Machine::up(Time now, bool ours) {
  if (ours) {
    if (state_ == State::Running) return true;  // a second time: another adapter manager
    if (state_ != State::Starting || killed_) return false;
  } else if (process_ || state_ == State::Running || state_ == State::Starting) {
    return false;
  }
  go(State::Running, now);
  ++ups_;
  process_ = ours;
  asked_ = killed_ = false;
  reason_.clear();
  return true;
}

void Machine::going_down(Time now, bool runs) {
  if (state_ != State::Running) return;
  if (process_ || runs) return go(State::Stopping, now);
  go(State::Stopped, now);
  reason_ = "it has ended by itself";
}

Machine::Action Machine::failed(Time now, const std::string& how, bool pauses) {
  ++failures_;
  reason_ = how;
  if (terms_.start_limit != 0 && failures_ >= terms_.start_limit) {
    given_up_ = true;
    go(State::Stopped, now);
    return Action::None;
  }
  pause_ = Milliseconds(0);
  if (pauses) {
    pause_ = terms_.first_pause;
    for (std::uint32_t i = 1; i < failures_ && pause_ < terms_.longest_pause; ++i) pause_ *= 2;
    pause_ = std::min(pause_, terms_.longest_pause);
  }
  go(State::BackingOff, now);
  return tick(now);
}

Machine::Action Machine::ended(Time now, const std::string& how) {
  const State before = state_;
  const bool settled = before == State::Running && now - since_ >= terms_.settled;
  process_ = false;
  switch (before) {
    case State::Stopped: case State::BackingOff: return Action::None;
    case State::Stopping:
      go(State::Stopped, now);
      reason_ = asked_ ? "stopped by an operator" : "it has ended by itself: " + how;
      failures_ = 0;
      if (!asked_ && terms_.activation == Activation::Always) return launch(now);
      return Action::None;
    case State::Starting: return failed(now, killed_ ? std::string(reason_) : how, true);
    case State::Running: break;
  }
  if (!settled) return failed(now, how, failures_ != 0);  // the first time it may be started again at once
  failures_ = 0;
  go(State::Stopped, now);
  reason_ = how;
  return terms_.activation == Activation::Always && terms_.can_start ? launch(now) : Action::None;
}

Machine::Action Machine::lost(Time now, const std::string& how) {
  if (process_ || (state_ != State::Running && state_ != State::Stopping)) return Action::None;
  const bool stopping = state_ == State::Stopping, asked = stopping && asked_;
  go(State::Stopped, now);
  reason_ = asked ? "stopped by an operator" : stopping ? "it has ended by itself" : how;
  const bool again = !asked && terms_.activation == Activation::Always && terms_.can_start;
  return again ? launch(now) : Action::None;
}

// Requests wait until the end of it has been seen; then they start it anew. It is killed if it does not come.
void Machine::vanished(Time now) {
  if (state_ == State::Running && process_) go(State::Stopping, now);
}

Machine::Action Machine::tick(Time now) {
  const auto at = wakes_at();
  if (!at || now < *at) return Action::None;
  switch (state_) {
    case State::BackingOff:
      go(State::Stopped, now);
      return terms_.activation == Activation::Always && terms_.can_start ? launch(now) : Action::None;
    case State::Starting:
      reason_ = "it did not say that it is ready within " + seconds(terms_.start_deadline);
      if (!process_) return ended(now, reason_);
      killed_ = true;
      return Action::Kill;
    case State::Stopping:
      killed_ = true;
      if (!process_) {
        go(State::Stopped, now);
        return Action::None;
      }
      return Action::Kill;
    case State::Stopped: case State::Running: break;
  }
  return Action::None;
}

bool Machine::admits(Time now) {
  if (state_ == State::BackingOff) tick(now);
  return state_ == State::Stopped && !given_up_ && terms_.can_start;
}

void Machine::one_has_failed(Time now, const std::string& how, bool at_its_start) {
  if (!given_up_) failed(now, how, at_its_start || failures_ != 0);
}

Machine::Action Machine::begin(Time now) {
  const bool wanted = state_ == State::Stopped && terms_.activation == Activation::Always && terms_.can_start;
  return wanted ? launch(now) : Action::None;
}

}  // namespace callis::imr
