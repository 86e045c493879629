// SPDX-License-Identifier: Apache-2.0
// The pool's timekeeper: deadlines of connections, and more workers when they are wanted.
//
// One more thread is wanted if an event waits, no thread takes the event, and fewer threads than CPUs get on. The
// other threads are in upcalls that last, perhaps until a waiting request is served. To find out, the timekeeper
// looks again after a millisecond. Threads that get on are enough, even if many events wait: more threads would only
// take the CPU from each other. The same holds for threads that would get on if they had a CPU. Otherwise a busy
// machine would soon have the highest number of threads.
#include <callis/base/log.h>
#include <callis/orb/context/orb_context.h>
#include <callis/orb/server/pool.h>
#include <callis/orb/server/pool_timekeeper.h>
#include <callis/orb/server/worker.h>
#include <algorithm>
#include <thread>

namespace callis::orb {
namespace {

constexpr std::uint32_t kLongestPauseMs = 16;
constexpr Duration kCoarsestGrain{1'000}, kFinestGrain{1};
// Between looks at upcalls, and after the last of them. In a pool of fixed threads more looks would show in one call
// of a thousand.
constexpr Duration kWatch{10}, kWatchOn{100}, kWatchFixed{50}, kWatchFixedOn{200};

int milliseconds_until(TimePoint t) {
  const auto left = std::chrono::ceil<Duration>(t - Clock::steady().now()).count();
  return static_cast<int>(std::clamp<Duration::rep>(left, 0, 1'000));
}

Duration grain_of(const Limits& limits) {
  Duration least = kCoarsestGrain * 8;
  for (Duration d :
       {limits.idle_timeout, limits.bidirectional_idle_timeout, limits.message_timeout, limits.send_timeout})
    if (d.count() > 0) least = std::min(least, d);
  return std::clamp(least / 8, kFinestGrain, kCoarsestGrain);
}

}  // namespace

PoolTimekeeper::PoolTimekeeper(Pool& pool)
    : pool_(pool), grain_(grain_of(pool.limits())), now_(ticks(Clock::steady().now())) {}

int PoolTimekeeper::start(const pthread_attr_t* attributes) {
  return thread_.joinable() ? 0 : thread_.start({"callis-time", false, attributes}, [this] { run(); });
}

void PoolTimekeeper::run() {
  std::uint32_t pause_ms = 1;
  TimePoint next = Clock::steady().now() + grain_;
  std::unique_lock lock(pool_.mutex_);
  while (!pool_.ending_) {
    if (std::exchange(look_soon_, false)) next = std::min(next, Clock::steady().now() + PeerMemory::kLookEvery);
    const bool watches = last_look_ || watching_.load(std::memory_order_relaxed);
    // An upcall has begun. If it lasts, a sweep lets go of its connection.
    if (dozes() && (watches || pressed_.load(std::memory_order_seq_cst))) set_now(Clock::steady().now());
    if (pool_.count_.load(std::memory_order_relaxed) == 0 && !PeerMemory::wants_look() && !watches) {
      pool_.changed_.wait(lock, [this] {
        return pool_.ending_ || watching_.load(std::memory_order_relaxed) ||
               pool_.count_.load(std::memory_order_relaxed) != 0;
      });
      next = Clock::steady().now() + grain_;
      continue;
    }
    if (pressed_.load(std::memory_order_seq_cst)) {
      lock.unlock();
      relieve(pause_ms, next);
      lock.lock();
    } else {
      pause_ms = 1;
      const TimePoint look = Clock::steady().now() + (pool_.is_fixed() ? kWatchFixed : kWatch);
      const auto wanted = [&, dozed = dozes()] {
        return pool_.ending_ || look_soon_ || pressed_.load(std::memory_order_seq_cst) || dozed != dozes() ||
               (!watches && watching_.load(std::memory_order_relaxed));
      };
      if (const TimePoint until = watches ? std::min(next, look) : next; until == TimePoint::max())
        pool_.changed_.wait(lock, wanted);
      else pool_.changed_.wait_until(lock, until, wanted);
      if (watches) watch(Clock::steady().now());
    }
    if (!dozes()) next = std::min(next, Clock::steady().now() + grain_);
    if (Clock::steady().now() < next) continue;
    lock.unlock();
    const Found found = sweep(Clock::steady().now());
    PeerMemory::look();
    lock.lock();
    pool_.join_ended();
    next = next_look(found, watches);
  }
}

// Called with the mutex. A thread may read the clock just before it stands, and write the time of the last use just
// afterwards. Without a barrier such a store is seen late, so one more look follows after a grain.
TimePoint PoolTimekeeper::next_look(const Found& found, bool watches) {
  const TimePoint now = Clock::steady().now();
  const bool looks_at_memory = PeerMemory::wants_look();
  sleeps_until_.store(0, std::memory_order_relaxed);
  if (!found.rests || watches || looks_at_memory || pressed_.load(std::memory_order_seq_cst)) {
    now_.store(ticks(now), std::memory_order_relaxed);
    return now + (looks_at_memory ? std::min(grain_, PeerMemory::kLookEvery) : grain_);
  }
  if (!dozes()) {
    now_.store(kDozes, std::memory_order_relaxed);
    return now + grain_;
  }
  sleeps_until_.store(found.due, std::memory_order_relaxed);
  if (found.due == kForEver) return TimePoint::max();
  return std::max(TimePoint(TimePoint::duration(found.due)), now + grain_);
}

void PoolTimekeeper::set_now(TimePoint now) {
  if (now_.exchange(ticks(now), std::memory_order_relaxed) != kDozes) return;
  sleeps_until_.store(0, std::memory_order_relaxed);
  pool_.changed_.notify_all();
}

// Called with the mutex, before Worker::let_go_of_slow(). A connection that is let go reads the clock, which must not
// stand then: wake() wants the mutex.
bool PoolTimekeeper::may_let_go(TimePoint now) {
  if (!dozes()) return true;
  for (Worker* w = pool_.workers_; w; w = w->next_)
    if (w->keeps()) {
      set_now(now);
      return true;
    }
  return false;
}

std::int64_t PoolTimekeeper::wake() {
  const TimePoint now = Clock::steady().now();
  const std::lock_guard lock(pool_.mutex_);
  set_now(now);
  return ticks(now);
}

void PoolTimekeeper::begin_watching() {
  if (watching_.exchange(true, std::memory_order_relaxed)) return;
  const std::lock_guard lock(pool_.mutex_);
  pool_.changed_.notify_all();
}

// Called with the mutex. A thread shows its upcall by plain stores, and then reads watching_. Without a barrier the
// thread may read an old value. So one more look follows when watching_ has been false for a while, and all earlier
// stores can be seen.
void PoolTimekeeper::watch(TimePoint now) {
  bool any = false;
  for (Worker* w = pool_.workers_; w; w = w->next_) {
    any |= w->gets_on(now);
    any |= w->let_go_of_slow(now);
  }
  if (any) watch_until_ = now + (pool_.is_fixed() ? kWatchFixedOn : kWatchOn);
  const bool goes_on = now < watch_until_;
  last_look_ = !goes_on && watching_.load(std::memory_order_relaxed);
  watching_.store(goes_on, std::memory_order_relaxed);
}

// The look at pressed_ is not to be taken before the caller's change of pool_.waiting_: relieve() looks the other way
// round.
void PoolTimekeeper::press() {
  if (pool_.most_ == 0 || pressed_.load(std::memory_order_seq_cst) ||
      pressed_.exchange(true, std::memory_order_seq_cst))
    return;
  const std::lock_guard lock(pool_.mutex_);
  pool_.changed_.notify_all();
}

// Nobody waits for events.
void PoolTimekeeper::relieve(std::uint32_t& pause_ms, TimePoint next_sweep) {
  const auto somebody_waits = [this] { return pool_.waiting_.load(std::memory_order_seq_cst) != 0; };
  if (!somebody_waits()) {
    if (!pool_.poller_->ready(milliseconds_until(next_sweep))) return;
    std::unique_lock lock(pool_.mutex_);
    (void)getting_on(0);
    // The pool joins its threads when it ends. Nobody would join a thread of later.
    if (pool_.changed_.wait_for(lock, Duration(pause_ms), [this] { return pool_.ending_; })) return;
    if (!somebody_waits()) {
      const std::uint32_t enough = std::max(std::thread::hardware_concurrency(), 1u), on = getting_on(enough);
      const bool too_few = on < enough && pool_.running_ < pool_.most();
      for (std::uint32_t n = on != 0 ? 1 : std::max(pool_.running_ / 2, 1u);
           too_few && n != 0 && pool_.running_ < pool_.most(); --n)
        if (!pool_.start_worker()) break;
      pause_ms = too_few ? 1 : std::min(2 * pause_ms, kLongestPauseMs);
      return;
    }
  }
  pressed_.store(false, std::memory_order_seq_cst);
  if (!somebody_waits()) pressed_.store(true, std::memory_order_seq_cst);
}

// The number of workers, at most `enough`, that have done something since the last call, or would have if they had
// got a processor. Called with the mutex.
std::uint32_t PoolTimekeeper::getting_on(std::uint32_t enough) {
  const TimePoint now = Clock::steady().now();
  std::uint32_t n = 0;
  for (Worker* w = pool_.workers_; w; w = w->next_) n += !w->is_own() && w->gets_on(now);
  if (pool_.running_ < pool_.most())
    for (Worker* w = pool_.workers_; w && n < enough; w = w->next_) n += w->wants_to_get_on(now);
  return n;
}

PoolTimekeeper::Found PoolTimekeeper::sweep(TimePoint t) {
  const std::int64_t now = ticks(t);
  Found found{true, kForEver};
  std::vector<Counted<ServerConnection>> over;  // ended without the mutex: the last count of one may be this
  try {
    const std::lock_guard lock(pool_.mutex_);
    // Asleep, the clock stood at the moment of the last use, and any use has woken this thread.
    const std::int64_t before = dozes() ? ServerConnection::kBusy : now_.exchange(now, std::memory_order_relaxed);
    for (ServerConnection* c = pool_.connections_; c; c = c->next_) {
      const std::int64_t due = c->due();
      found.rests &= c->rests(before);
      if (due > now) found.due = std::min(found.due, due);
      else if (c->try_add_ref()) over.push_back(Counted<ServerConnection>::adopt(c));
    }
    if (may_let_go(t))
      for (Worker* w = pool_.workers_; w; w = w->next_) found.rests &= !w->let_go_of_slow(t);
  } catch (const std::bad_alloc&) {
    log(LogLevel::Error, "no memory to end connections");
    found.due = now;
  }
  if (!over.empty()) found.rests = false;
  for (auto& c : over) c->end_in_time(now);
  return found;
}

}  // namespace callis::orb
