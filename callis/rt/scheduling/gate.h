// SPDX-License-Identifier: Apache-2.0
// Gate: decides which threads run, of those in this process that are inside scheduling segments. Each such thread has
// an Entry.
//
//              enter()                  its turn
//     Idle ──────────────→ Ready ──────────────────→ Running
//       ↑                    ↑   a more urgent one is ready,  │
//       │                    │   at point() and change()      │
//       │                    └───────────────────────────────┤
//       └──────────────────────── leave(), end() ────────────┘
//
// By turns: the most urgent threads run, as many as there are places. The others wait until a place is given up. A
// thread is not stopped in between: it gives its place up at its next scheduling point, or where it waits.
//
// Natively: all threads run, by SCHED_FIFO, at priorities in the order of their urgency. The priorities are set anew
// at each scheduling point. The operating system stops less urgent threads at any instruction.
//
// Urgency is inherited: the holder of a Resource is as urgent as the most urgent thread that waits for the Resource.
//
// Any thread may call. There is one lock, with priority inheritance. It is held only while the entries are looked
// through.
#pragma once
#include <callis/rt/scheduling/condition.h>
#include <callis/rt/scheduling/discipline.h>
#include <callis/rt/scheduling/native.h>
#include <callis/rt/scheduling/time_source.h>
#include <atomic>
#include <optional>
#include <vector>

namespace callis::rt::scheduling {

class Entry;

// A resource that one thread at a time may hold (RTScheduling::ResourceManager).
class Resource final {
 public:
  // ceiling: the holder is at least as urgent; nullptr: none.
  explicit Resource(ParameterPtr ceiling) : ceiling_(std::move(ceiling)) {}

 private:
  friend class Gate;
  const ParameterPtr ceiling_;
  // Guarded by the gate's lock.
  bool held_ = false;
  pthread_t thread_{};             // which holds it
  Entry* holder_ = nullptr;        // nullptr: the thread is in no segment
  std::vector<Entry*> waiting_;
};

// One thread inside a distributable thread. In all functions of Gate but wake() the entry is the calling thread's.
class Entry final {
 public:
  // cancelled: read at all waits. Another thread sets the flag and then calls wake().
  Entry(ParameterPtr parameter, const std::atomic<bool>& cancelled)
      : parameter_(std::move(parameter)), cancelled_(cancelled) {}
  Entry(const Entry&) = delete;
  Entry& operator=(const Entry&) = delete;

 private:
  friend class Gate;
  enum class State : unsigned char { Idle, Ready, Running };

  // Guarded by the gate's lock.
  ParameterPtr parameter_;
  ParameterPtr floor_;  // it is that urgent at least (of a servant)
  const std::atomic<bool>& cancelled_;
  const pthread_t thread_ = ::pthread_self();
  State state_ = State::Idle;
  std::uint64_t ready_since_ = 0;  // a number
  Ticks executed_ = 0;             // but for the time since it runs
  Ticks running_since_ = 0;
  std::vector<Resource*> held_;
  Resource* wanted_ = nullptr;     // waits for it
  Condition turn_;
  std::optional<NativePriority> before_;  // natively: what the thread had
  int level_ = 0;                         // natively: what it has
};

class Gate final {
 public:
  struct Options {
    unsigned places = 1;  // that run at a time; by turns
    bool native = false;
    int lowest = 1, highest = 1;  // of SCHED_FIFO
  };
  enum class Outcome : unsigned char { Done, Cancelled, TimedOut, Held };

  Gate(const Discipline& discipline, const TimeSource& time, const Options& options)
      : discipline_(discipline), time_(time), options_(options) {}
  Gate(const Gate&) = delete;
  Gate& operator=(const Gate&) = delete;

  // Adds the entry to those that wait for their turn, without waiting. enter() comes next.
  void announce(Entry& e);
  // Waits for its turn, unless it runs already. After Cancelled the entry is Idle again.
  Outcome enter(Entry& e);
  // Gives up the turn: the thread is about to wait for something else. Does nothing if the entry is Idle.
  void leave(Entry& e);
  // The segment gets another parameter. The thread waits for its turn if it is now less urgent than another. After
  // Cancelled it runs on.
  Outcome change(Entry& e, ParameterPtr parameter);
  Outcome point(Entry& e);
  // Ends the entry. Its native thread keeps the resources that it holds.
  void end(Entry& e);

  void set_floor(Entry& e, ParameterPtr floor);
  void set_executed(Entry& e, Ticks executed);
  Ticks executed(const Entry& e) const;
  Ticks now() const { return time_.now(); }

  // Lets the waiting thread look again whether it is cancelled.
  void wake(Entry& e);

  // e: nullptr if the thread is in no segment. until: TimePoint::max() waits for ever, min() does not wait. Returns
  // Held if the same thread holds the resource already.
  Outcome lock(Resource& r, Entry* e, TimePoint until);
  // Returns false if the calling thread does not hold the resource.
  bool unlock(Resource& r, Entry* e);
  // The resource is about to go. Nobody waits for it.
  void forget(Resource& r);

  bool orders_natively() const { return options_.native; }

  // For tests: these say how many threads wait for their turn, and for a resource.
  std::size_t ready() const;
  std::size_t waiting(const Resource& r) const;

 private:
  using Lock = std::unique_lock<MutexWithInheritance>;

  Ticks executed_now(const Entry& e, Ticks now) const;
  Urgency urgency(const Entry& e, Ticks now, int depth = 0) const;
  // Returns the entry in front of all others in ready_.
  Entry* most_urgent(Ticks now) const;
  void start(Entry& e, Ticks now);
  void stop(Entry& e, Ticks now);
  void make_ready(Entry& e);
  void come(Entry& e);
  void admit();
  void set_levels();
  Outcome wait_turn(Entry& e, Lock& lock);
  Outcome give_way(Entry& e, Lock& lock);
  void take(Resource& r, Entry* e);
  void hand_over(Resource& r);

  const Discipline& discipline_;
  const TimeSource& time_;
  const Options options_;
  mutable MutexWithInheritance mutex_;  // guards what follows
  std::vector<Entry*> ready_, running_;
  std::uint64_t last_ready_ = 0;
};

}  // namespace callis::rt::scheduling
