// SPDX-License-Identifier: Apache-2.0
// PoolTimekeeper: the thread of a pool ("callis-time") that looks after time. It ends connections that are late or
// idle, and has one more worker started if all are in upcalls and something waits.
//
//   looks after each grain ──nothing has happened──→ dozes ──one more look──→ sleeps until something is due
//              ↑                                       │                                  │
//              └──────────── now(), set_now(): something happens ───────────────────────┘
//
// So an idle server does not wake up. While the timekeeper dozes its clock stands, and a thread that reads the clock
// wakes the timekeeper. Threads that give a connection a deadline also read the clock.
//
// It is part of its Pool, and works under the pool's mutex and condition variable.
#pragma once
#include <callis/base/clock.h>
#include <callis/base/thread.h>
#include <atomic>
#include <cstdint>

namespace callis::orb {

class Pool;

class PoolTimekeeper final {
 public:
  explicit PoolTimekeeper(Pool& pool);
  PoolTimekeeper(const PoolTimekeeper&) = delete;
  PoolTimekeeper& operator=(const PoolTimekeeper&) = delete;

  // Starts the thread, unless it runs already. Called with the pool's mutex held. Returns 0, or an errno if no thread
  // could be made.
  [[nodiscard]] int start(const pthread_attr_t* attributes = nullptr);
  // Called with the mutex, once the pool is ending. Returns the thread, which the caller joins.
  Thread take_thread() { return std::move(thread_); }

  // Ticks of the steady clock, at most an eighth of the shortest time limit ago, and at most a second. Any thread may
  // call, without the mutex.
  std::int64_t now() {
    const std::int64_t now = now_.load(std::memory_order_relaxed);
    return now != kDozes ? now : wake();
  }
  // Called with the mutex.
  void set_now(TimePoint now);
  // The moment until which the thread sleeps, in ticks, if nothing happens: kForEver for no moment, 0 while it looks
  // after each grain. Any thread may call; tests do.
  std::int64_t sleeps_until() const { return sleeps_until_.load(std::memory_order_relaxed); }
  static constexpr std::int64_t kForEver = INT64_MAX;

  // Called if no worker waits for events any more. Any thread may call, without the mutex.
  void press();
  // Whether the timekeeper looks at upcalls, so that long upcalls let go of their connections. A thread that begins
  // an upcall first shows the upcall, then reads the flag, and calls begin_watching() if the flag is false. Any
  // thread may call, without the mutex.
  const std::atomic<bool>& watching_flag() const { return watching_; }
  void begin_watching();
  // Called with the mutex: PeerMemory::look() is to be called soon. The caller wakes the thread.
  void look_soon() { look_soon_ = true; }
  bool looks_soon() const { return look_soon_; }

 private:
  static constexpr std::int64_t kDozes = 0;  // in now_

  // The result of a sweep.
  struct Found {
    bool rests = true;  // nothing has happened since the one before
    std::int64_t due;   // when something will have to be ended
  };

  [[gnu::cold, gnu::noinline]] std::int64_t wake();
  bool dozes() const { return now_.load(std::memory_order_relaxed) == kDozes; }
  bool may_let_go(TimePoint now);
  TimePoint next_look(const Found& found, bool watches);
  void run();
  void watch(TimePoint now);
  void relieve(std::uint32_t& pause_ms, TimePoint next_sweep);
  std::uint32_t getting_on(std::uint32_t enough);
  Found sweep(TimePoint now);

  Pool& pool_;
  const Duration grain_;  // between two looks at the time
  std::atomic<std::int64_t> now_;
  std::atomic<std::int64_t> sleeps_until_{0};
  std::atomic<bool> pressed_{false};  // for some time no worker has been waiting
  bool look_soon_ = false;            // under the pool's mutex
  std::atomic<bool> watching_{false};
  bool last_look_ = false;  // to be taken, though not watching
  TimePoint watch_until_{};
  Thread thread_;
};

}  // namespace callis::orb
