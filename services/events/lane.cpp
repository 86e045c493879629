// SPDX-License-Identifier: Apache-2.0
// The lane's handling of each event, and of each failure.
#include <callis/base/text.h>
#include <services/events/lane.h>
#include <algorithm>

namespace callis::events {

namespace {

// After so much a lane leaves its thread to another.
constexpr int kMostAtOnce = 32;
constexpr std::chrono::milliseconds kLongestAtOnce{5};

}  // namespace

void Lane::offer(const Event& event) {
  const std::lock_guard lock(mutex_);
  if (ended_ || full_) return;
  if (state_ == State::Sent && !armed_) look_or_arm();
  if (state_ == State::Idle && queue_.size() == 0 && send({queue_.skip(), event})) return;
  const std::uint64_t before = queue_.discarded();
  full_ = queue_.offer(event) == Queue::Offered::Full;
  if (queue_.discarded() != before) tally_.discarded += static_cast<std::int64_t>(queue_.discarded() - before);
  if (full_ || (state_ == State::Idle && queue_.size() != 0)) work();
}

// A new event waits for the reply to the last one, if the reply has not come. If replies were missing a few times
// lately, a look would be in vain.
void Lane::look_or_arm() {
  constexpr int kMostInVain = 4;
  if (looks_in_vain_ < kMostInVain) {
    if (look()) return;
    ++looks_in_vain_;
  }
  arm();
}

// A thread that is at work goes on until the queue is empty.
void Lane::work() {
  if (std::exchange(state_, State::Working) != State::Working) pool_.wake(shared_from_this());
}

// --- What is sent and not waited for ---

bool Lane::may_send(const Event& event) {
  constexpr std::size_t kMostBytes = 16u << 10;  // they fit the buffer of a socket that nothing else waits in
  if (!options_.replies || !can_send_ || failures_ != 0 || event.bytes > kMostBytes) return false;
  return place_ >= 0 || (place_ = options_.replies->enter(shared_from_this())) >= 0;
}

void Lane::has_sent(Queue::Waiting&& event) {
  sent_ = std::move(event);
  has_sent_ = sent_since_round_ = true;
  over_ = armed_ = false;
  state_ = State::Sent;
}

// False: it could not be sent, and event is left as it was.
bool Lane::send(Queue::Waiting&& event) {
  if (!may_send(event.event)) return false;
  const Sink::Begun begun = sink_->begin(event.event, false);
  can_send_ = begun != Sink::Begun::Never;
  if (begun != Sink::Begun::Sent) return false;
  has_sent(std::move(event));
  return true;
}

// The first one of the queue. False: it is the first again.
bool Lane::send_next() {
  std::optional<Queue::Waiting> next = queue_.take();
  if (!next) return true;
  if (send(std::move(*next))) {
    if (queue_.size() != 0) arm();
    return true;
  }
  queue_.put_back(std::move(*next));
  return false;
}

// Whether the call is not under way any more: Idle, or Working where a thread has to see to it.
bool Lane::look() {
  const Sink::Progress progress = sink_->look();
  if (progress == Sink::Progress::Pending) return false;
  over_ = progress == Sink::Progress::Over;
  if (over_) result_ = sink_->result();
  if (!over_ || (result_ != Sink::Result::Taken && !ended_)) {
    work();
    return true;
  }
  if (result_ == Sink::Result::Taken) ++tally_.delivered;
  has_sent_ = false;
  sent_ = {};
  state_ = State::Idle;
  return true;
}

void Lane::arm() { armed_ = place_ >= 0 && options_.replies->arm(place_, sink_->descriptor()); }

void Lane::came() noexcept {
  const std::lock_guard lock(mutex_);
  armed_ = false;
  if (state_ != State::Sent) return;
  if (!look()) return arm();
  if (state_ == State::Idle && !send_next()) work();
}

bool Lane::round() noexcept {
  const std::lock_guard lock(mutex_);
  const bool rested = !std::exchange(sent_since_round_, false);
  looks_in_vain_ = 0;
  if (state_ == State::Sent && rested && look() && state_ == State::Idle && !send_next()) work();
  if (state_ == State::Sent && rested && !armed_) arm();
  if (state_ == State::Sent || !rested) return true;
  place_ = -1;
  return false;
}

void Lane::ended() noexcept {
  const std::lock_guard lock(mutex_);
  place_ = -1;
  can_send_ = false;
  if (state_ != State::Sent) return;
  sink_->drop();
  has_sent_ = false;
  state_ = State::Idle;
}

// --- What is waited for ---

std::size_t Lane::waiting() const {
  const std::lock_guard lock(mutex_);
  return queue_.size();
}

std::uint64_t Lane::discarded() const {
  const std::lock_guard lock(mutex_);
  return queue_.discarded();
}

void Lane::end() {
  const std::lock_guard lock(mutex_);
  ended_ = true;
  queue_.clear();
}

Pool::Next Lane::give_up(const std::string& why) {
  {
    const std::lock_guard lock(mutex_);
    if (ended_) return {};
    ended_ = true;
    queue_.clear();
  }
  sink_->dropped(why);
  ++tally_.dropped;
  return {};
}

Pool::Next Lane::failed(bool arrived_perhaps, Queue::Waiting&& event) {
  ++tally_.failed;
  if (arrived_perhaps) ++tally_.lost;
  if (++failures_ >= options_.failures)
    return give_up(
        concat({Decimal(failures_), failures_ == 1 ? " call failed" : " calls failed one after the other"}));
  if (!arrived_perhaps) {
    const std::lock_guard lock(mutex_);
    if (!ended_) queue_.put_back(std::move(event));
  }
  const auto pause = options_.first_pause * (std::int64_t{1} << std::min(failures_ - 1, 20u));
  return {Pool::Next::At, Pool::Clock::now() + std::min<std::chrono::milliseconds>(pause, options_.longest_pause)};
}

Pool::Next Lane::judged(Sink::Result result, Queue::Waiting&& event) {
  switch (result) {
    case Sink::Result::Taken:
      failures_ = 0;
      ++tally_.delivered;
      return {Pool::Next::Again, {}};
    case Sink::Result::Refused: return failed(false, std::move(event));
    case Sink::Result::Unknown: return failed(true, std::move(event));
    case Sink::Result::Gone: break;
  }
  return give_up("it has disconnected, or does not exist any more");
}

// Whether the queue is full and disconnects: the reply to what was sent is not waited for.
bool Lane::give_up_sent() {
  const std::lock_guard lock(mutex_);
  if (!full_ || ended_) return false;
  if (std::exchange(has_sent_, false) && !over_) sink_->drop();
  return true;
}

// Finishes the event that was sent before this lane got a thread.
std::optional<Pool::Next> Lane::finish_sent() {
  Queue::Waiting event;
  bool over = false;
  Sink::Result result;
  {
    const std::lock_guard lock(mutex_);
    if (!std::exchange(has_sent_, false)) return std::nullopt;
    event = std::move(sent_);
    over = over_;
    result = result_;
  }
  if (!over) result = sink_->finish();
  const Pool::Next next = judged(result, std::move(event));
  if (next.kind == Pool::Next::Again) return std::nullopt;
  return next;
}

// By a thread of the pool: it waits for a connection, but for the reply only where the call cannot be deferred. So
// consumers that stop hold no thread, whenever they began to.
Pool::Next Lane::send_or_deliver(Queue::Waiting&& event) {
  bool sends = false;
  {
    const std::lock_guard lock(mutex_);
    sends = may_send(event.event);
  }
  const Sink::Begun begun = sends ? sink_->begin(event.event, true) : Sink::Begun::NotNow;
  if (begun == Sink::Begun::Over) return judged(sink_->result(), std::move(event));
  if (begun != Sink::Begun::Sent) return judged(sink_->deliver(event.event), std::move(event));
  const std::lock_guard lock(mutex_);
  has_sent(std::move(event));
  if (full_ || place_ < 0) {  // meanwhile: it is to be given up, or Replies has stopped. run() sees to that
    state_ = State::Working;
    return {Pool::Next::At, Pool::Clock::now()};
  }
  if (queue_.size() != 0) arm();
  return {};
}

Pool::Next Lane::run() noexcept {
  const Pool::Time end = Pool::Clock::now() + kLongestAtOnce;
  if (give_up_sent()) return give_up("its queue was full");
  if (const auto next = finish_sent()) return *next;
  for (int i = 0; i < kMostAtOnce; ++i) {
    std::optional<Queue::Waiting> next;
    bool full = false;
    {
      const std::lock_guard lock(mutex_);
      full = full_;
      if (!full) {
        state_ = State::Idle;
        if (queue_.size() == 0 || send_next()) return {};
        state_ = State::Working;
        next = queue_.take();
      }
    }
    if (full) return give_up("its queue was full");
    const Pool::Next after = send_or_deliver(std::move(*next));
    if (after.kind != Pool::Next::Again) return after;
    if (Pool::Clock::now() >= end) break;
  }
  return {Pool::Next::Again, {}};
}

}  // namespace callis::events
