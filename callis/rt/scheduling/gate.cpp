// SPDX-License-Identifier: Apache-2.0
// The ready queue and the places, native priorities, and resources with inheritance.
#include <callis/base/blocking_scope.h>
#include <callis/base/log.h>
#include <callis/rt/scheduling/gate.h>
#include <algorithm>
#include <ctime>
#include <sched.h>

namespace callis::rt::scheduling {
namespace {

// The longest chain of waiting threads through which urgency is inherited. The bound also ends the walk round a
// circle of threads that wait for each other.
constexpr int kDeepestInheritance = 16;

const std::atomic<bool> kNeverCancelled{false};

// Processor time of a thread.
Ticks used_by(pthread_t thread) {
  clockid_t clock{};
  timespec used{};
  if (::pthread_getcpuclockid(thread, &clock) != 0 || ::clock_gettime(clock, &used) != 0) return 0;
  return Ticks{used.tv_sec} * 10'000'000 + used.tv_nsec / 100;
}

}  // namespace

Ticks Gate::executed_now(const Entry& e, Ticks now) const {
  if (e.state_ != Entry::State::Running) return e.executed_;
  return e.executed_ + std::max<Ticks>(0, (options_.native ? used_by(e.thread_) : now) - e.running_since_);
}

Urgency Gate::urgency(const Entry& e, Ticks now, int depth) const {
  Urgency most;
  const auto at_least = [&](const ParameterPtr& p, Ticks executed) {
    if (p) most = std::max(most, discipline_.urgency(*p, {now, executed}));
  };
  at_least(e.parameter_, executed_now(e, now));
  at_least(e.floor_, 0);
  if (depth == kDeepestInheritance) return most;
  for (const Resource* r : e.held_) {
    at_least(r->ceiling_, 0);
    for (const Entry* w : r->waiting_) most = std::max(most, urgency(*w, now, depth + 1));
  }
  return most;
}

Entry* Gate::most_urgent(Ticks now) const {
  Entry* first = nullptr;
  Urgency of_first;
  for (Entry* e : ready_) {
    const Urgency u = urgency(*e, now);
    if (first && (u < of_first || (u == of_first && e->ready_since_ > first->ready_since_))) continue;
    first = e;
    of_first = u;
  }
  return first;
}

void Gate::start(Entry& e, Ticks now) {
  std::erase(ready_, &e);
  running_.push_back(&e);
  e.running_since_ = options_.native ? used_by(e.thread_) : now;
  e.state_ = Entry::State::Running;
}

void Gate::stop(Entry& e, Ticks now) {
  e.executed_ = executed_now(e, now);
  std::erase(ready_, &e);
  std::erase(running_, &e);
  e.state_ = Entry::State::Idle;
}

void Gate::make_ready(Entry& e) {
  e.ready_since_ = ++last_ready_;
  ready_.push_back(&e);
  e.state_ = Entry::State::Ready;
}

// Fills the places that are free.
void Gate::admit() {
  const Ticks now = time_.now();
  while (!ready_.empty() && (options_.native || running_.size() < options_.places)) {
    Entry& e = options_.native ? *ready_.front() : *most_urgent(now);
    start(e, now);
    e.turn_.notify();
  }
  if (options_.native) set_levels();
}

void Gate::set_levels() {
  const Ticks now = time_.now();
  std::vector<std::pair<Urgency, Entry*>> order;
  order.reserve(running_.size());
  for (Entry* e : running_) order.emplace_back(urgency(*e, now), e);
  std::stable_sort(order.begin(), order.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  int level = options_.highest;
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (i != 0 && order[i].first != order[i - 1].first) level = std::max(level - 1, options_.lowest);
    Entry& e = *order[i].second;
    if (e.level_ == level) continue;
    if (const int error = set_native_priority(e.thread_, {SCHED_FIFO | SCHED_RESET_ON_FORK, level}); error != 0)
      log_failed("setting the native priority of a scheduling segment", error);
    else
      e.level_ = level;
  }
}

Gate::Outcome Gate::wait_turn(Entry& e, Lock& lock) {
  if (e.state_ == Entry::State::Ready) {
    const BlockingScope waits(BlockingScope::Wait::Turn);
    while (e.state_ == Entry::State::Ready && !e.cancelled_.load()) e.turn_.wait(lock);
  }
  if (!e.cancelled_.load()) return Outcome::Done;
  stop(e, time_.now());
  admit();
  return Outcome::Cancelled;
}

Gate::Outcome Gate::give_way(Entry& e, Lock& lock) {
  if (options_.native) {
    set_levels();
    return Outcome::Done;
  }
  const Ticks now = time_.now();
  const Entry* const other = e.state_ == Entry::State::Running ? most_urgent(now) : nullptr;
  if (!other || urgency(*other, now) <= urgency(e, now)) return Outcome::Done;
  const std::uint64_t since = e.ready_since_;
  stop(e, now);
  make_ready(e);
  e.ready_since_ = since;  // in front of those that have become ready since
  admit();
  return wait_turn(e, lock);
}

void Gate::come(Entry& e) {
  if (e.state_ != Entry::State::Idle) return;
  if (options_.native && !e.before_) e.before_ = native_priority();
  make_ready(e);
  admit();
}

void Gate::announce(Entry& e) {
  const Lock lock(mutex_);
  come(e);
}

Gate::Outcome Gate::enter(Entry& e) {
  Lock lock(mutex_);
  come(e);
  return wait_turn(e, lock);
}

void Gate::leave(Entry& e) {
  const Lock lock(mutex_);
  if (e.state_ == Entry::State::Idle) return;
  stop(e, time_.now());
  admit();
}

Gate::Outcome Gate::change(Entry& e, ParameterPtr parameter) {
  Lock lock(mutex_);
  e.parameter_.swap(parameter);
  return give_way(e, lock);
}

Gate::Outcome Gate::point(Entry& e) {
  Lock lock(mutex_);
  return give_way(e, lock);
}

void Gate::end(Entry& e) {
  const Lock lock(mutex_);
  stop(e, time_.now());
  for (Resource* r : e.held_) r->holder_ = nullptr;
  e.held_.clear();
  admit();
  if (e.before_ && e.level_ != 0) restore_native_priority(e.thread_, *e.before_);
}

void Gate::set_floor(Entry& e, ParameterPtr floor) {
  const Lock lock(mutex_);
  e.floor_.swap(floor);
}

void Gate::set_executed(Entry& e, Ticks executed) {
  const Lock lock(mutex_);
  e.executed_ = executed;
}

Ticks Gate::executed(const Entry& e) const {
  const Lock lock(mutex_);
  return executed_now(e, time_.now());
}

void Gate::wake(Entry& e) {
  const Lock lock(mutex_);
  e.turn_.notify();
}

// e: nullptr for a thread in no segment.
void Gate::take(Resource& r, Entry* e) {
  r.held_ = true;
  r.holder_ = e;
  if (e) e->held_.push_back(&r);
}

// Hands the resource to the most urgent waiting thread, the first among equals.
void Gate::hand_over(Resource& r) {
  if (r.holder_) std::erase(r.holder_->held_, &r);
  r.holder_ = nullptr;
  r.held_ = false;
  const Ticks now = time_.now();
  Entry* next = nullptr;
  for (Entry* w : r.waiting_)
    if (!next || urgency(*w, now) > urgency(*next, now)) next = w;
  if (!next) return;
  std::erase(r.waiting_, next);
  next->wanted_ = nullptr;
  r.thread_ = next->thread_;
  take(r, next->parameter_ ? next : nullptr);
  if (next->parameter_) make_ready(*next);
  next->turn_.notify();
}

Gate::Outcome Gate::lock(Resource& r, Entry* e, TimePoint until) {
  Lock lock(mutex_);
  if (r.held_ && ::pthread_equal(r.thread_, ::pthread_self())) return Outcome::Held;
  if (!r.held_) {
    r.thread_ = ::pthread_self();
    take(r, e);
    if (options_.native) set_levels();
    return Outcome::Done;
  }
  if (until == TimePoint::min()) return Outcome::TimedOut;
  std::optional<Entry> outside;
  Entry& w = e ? *e : outside.emplace(nullptr, kNeverCancelled);
  w.wanted_ = &r;
  r.waiting_.push_back(&w);
  if (e) stop(w, time_.now());
  admit();
  bool in_time = true;
  {
    const BlockingScope waits(BlockingScope::Wait::Turn);
    while (w.wanted_ && in_time && !w.cancelled_.load()) {
      if (until == TimePoint::max()) w.turn_.wait(lock);
      else in_time = w.turn_.wait(lock, until);
    }
  }
  const bool got = w.wanted_ == nullptr;
  if (!got) {
    std::erase(r.waiting_, &w);
    w.wanted_ = nullptr;
  }
  if (!e) return got ? Outcome::Done : Outcome::TimedOut;
  if (!got && !w.cancelled_.load()) {  // back into its segment
    make_ready(w);
    admit();
  }
  if (const Outcome turn = wait_turn(w, lock); turn != Outcome::Done) {
    if (got) hand_over(r);
    admit();
    return turn;
  }
  return got ? Outcome::Done : Outcome::TimedOut;
}

bool Gate::unlock(Resource& r, Entry* e) {
  Lock lock(mutex_);
  if (!r.held_ || !::pthread_equal(r.thread_, ::pthread_self())) return false;
  hand_over(r);
  admit();
  if (e) (void)give_way(*e, lock);
  return true;
}

void Gate::forget(Resource& r) {
  const Lock lock(mutex_);
  if (r.holder_) std::erase(r.holder_->held_, &r);
}

std::size_t Gate::ready() const {
  const Lock lock(mutex_);
  return ready_.size();
}

std::size_t Gate::waiting(const Resource& r) const {
  const Lock lock(mutex_);
  return r.waiting_.size();
}

}  // namespace callis::rt::scheduling
