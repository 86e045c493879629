// SPDX-License-Identifier: Apache-2.0
// The pool's timekeeper: deadlines, and more threads when they are wanted.
//
// A thread more is wanted when something waits, nobody takes it, and fewer threads than there are CPUs get on: the
// others are in upcalls that last, perhaps for a request that waits. To find out it looks again after a millisecond. While
// threads do get on they are enough, however much waits: more would only take the CPU from each other. So it is with threads
// that would get on if they had a CPU: on a busy machine there would soon be as many as there may be.
#include <callis/base/log.h>
#include <callis/orb/context/orb_context.h>
#include <callis/orb/server/pool.h>
#include <callis/orb/server/pool_worker.h>
#include <algorithm>
#include <thread>

namespace callis::orb {
namespace {

constexpr std::uint32_t kLongestPauseMs = 16;

int milliseconds_until(TimePoint t) {
  const auto left = std::chrono::ceil<Duration>(t - Clock::steady().now()).count();
  return static_cast<int>(std::clamp<long>(left, 0, 1'000));
}

}  // namespace

void Pool::keep_time() {
  std::uint32_t pause_ms = 1;
  TimePoint next = Clock::steady().now() + grain_;
  std::unique_lock lock(mutex_);
  while (!ending_) {
    if (std::exchange(look_soon_, false)) next = std::min(next, Clock::steady().now() + PeerMemory::kLookEvery);
    if (count_.load(std::memory_order_relaxed) == 0 && !PeerMemory::wants_look()) {
      changed_.wait(lock, [this] { return ending_ || count_.load(std::memory_order_relaxed) != 0; });
      next = Clock::steady().now() + grain_;
      continue;
    }
    if (pressed_.load(std::memory_order_seq_cst)) {
      lock.unlock();
      relieve(pause_ms, next);
      lock.lock();
    } else {
      pause_ms = 1;
      changed_.wait_until(lock, next, [this] { return ending_ || look_soon_ || pressed_.load(std::memory_order_seq_cst); });
    }
    if (Clock::steady().now() < next) continue;
    lock.unlock();
    sweep(Clock::steady().now());
    PeerMemory::look();
    next = Clock::steady().now() + (PeerMemory::wants_look() ? std::min(grain_, PeerMemory::kLookEvery) : grain_);
    lock.lock();
    join_ended();
  }
}

// The look at pressed_ is not to be taken before the caller's change of waiting_: relieve() looks the other way round.
void Pool::press() {
  if (most_ == 0 || pressed_.load(std::memory_order_seq_cst) || pressed_.exchange(true, std::memory_order_seq_cst)) return;
  const std::lock_guard lock(mutex_);
  changed_.notify_all();
}

// Nobody waits for events.
void Pool::relieve(std::uint32_t& pause_ms, TimePoint next_sweep) {
  const auto somebody_waits = [this] { return waiting_.load(std::memory_order_seq_cst) != 0; };
  if (!somebody_waits()) {
    if (!poller_->ready(milliseconds_until(next_sweep))) return;
    std::unique_lock lock(mutex_);
    (void)getting_on(0);
    changed_.wait_for(lock, Duration(pause_ms), [this] { return ending_; });
    if (!somebody_waits()) {
      const std::uint32_t enough = std::max(std::thread::hardware_concurrency(), 1u), on = getting_on(enough);
      const bool too_few = on < enough && running_ < most();
      for (std::uint32_t n = on != 0 ? 1 : std::max(running_ / 2, 1u); too_few && n != 0 && running_ < most(); --n)
        if (!start_worker()) break;
      pause_ms = too_few ? 1 : std::min(2 * pause_ms, kLongestPauseMs);
      return;
    }
  }
  pressed_.store(false, std::memory_order_seq_cst);
  if (!somebody_waits()) pressed_.store(true, std::memory_order_seq_cst);
}

// Workers that have done something since it was asked last, or would have if others had left them a processor: as many as
// are enough at most. With the mutex.
std::uint32_t Pool::getting_on(std::uint32_t enough) {
  const TimePoint now = Clock::steady().now();
  std::uint32_t n = 0;
  for (PoolWorker* w : workers_) n += w->gets_on(now);
  if (running_ < most())
    for (auto w = workers_.begin(); w != workers_.end() && n < enough; ++w) n += (*w)->wants_to_get_on(now);
  return n;
}

void Pool::sweep(TimePoint t) {
  const std::int64_t now = ticks(t);
  now_.store(now, std::memory_order_relaxed);
  std::vector<Counted<ServerConnection>> over;  // ended without the mutex: the last count of one may be this
  try {
    const std::lock_guard lock(mutex_);
    for (ServerConnection* c = connections_; c; c = c->next_)
      if ((is_late(*c, now) || is_idle(*c, now)) && c->try_add_ref()) over.push_back(Counted<ServerConnection>::adopt(c));
    for (PoolWorker* w : workers_) w->let_go_of_slow();
  } catch (const std::bad_alloc&) {
    log(LogLevel::Error, "no memory to end connections");
  }
  for (auto& c : over) end(*c, now);
}

bool Pool::is_late(const ServerConnection& c, std::int64_t now) const {
  const auto passed = [now](std::int64_t deadline) { return deadline != 0 && now >= deadline; };
  return passed(c.deadline_.load(std::memory_order_relaxed)) || passed(c.send_deadline_.load(std::memory_order_relaxed));
}

bool Pool::is_idle(const ServerConnection& c, std::int64_t now) const {
  const std::int64_t used = c.used_.load(std::memory_order_relaxed);
  const bool bidirectional = c.stays_open_.load(std::memory_order_relaxed);
  if (bidirectional && (c.conversation_.comes_back() || c.calling_.load(std::memory_order_relaxed))) return false;
  const Duration limit = bidirectional ? limits().bidirectional_idle_timeout : limits().idle_timeout;
  const auto idle = std::chrono::duration_cast<TimePoint::duration>(limit).count();
  return idle > 0 && used != ServerConnection::kBusy && now - used >= idle &&
         c.in_progress_.load(std::memory_order_seq_cst) == 0 && c.queued_bytes() == 0 &&
         c.deadline_.load(std::memory_order_relaxed) == 0 &&
         c.ending_.load(std::memory_order_relaxed) == ServerConnection::Ending::None;
}

void Pool::end(ServerConnection& c, std::int64_t now) {
  if (is_idle(c, now)) {
    c.ending_.store(ServerConnection::Ending::Idle, std::memory_order_relaxed);
    c.end_reading();
    return;
  }
  if (!is_late(c, now)) return;  // a request has come meanwhile
  const bool reads = c.send_deadline_.load(std::memory_order_relaxed) == 0;
  if (c.phase_.load(std::memory_order_relaxed) != ServerConnection::Phase::Lingering && logging(LogLevel::Info))
    log(LogLevel::Info, c.peer() + (reads ? ": message not complete in time" : ": does not read its replies"));
  c.break_off();
}

}  // namespace callis::orb
