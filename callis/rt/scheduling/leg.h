// SPDX-License-Identifier: Apache-2.0
// Leg: the part of a distributable thread's way that one native thread goes, with the segments that it is in there. A
// native thread has a stack of legs: while it waits for a reply it may serve an upcall, of the same distributable
// thread or of another one. All functions but wake() are for the native thread itself.
#pragma once
#include <callis/rt/scheduling/scheduler_state.h>
#include <string>

namespace callis::rt::scheduling {

struct Segment {
  std::string name;
  ParameterPtr parameter;
  // Of distributable threads that begin in the segment and are given none; nullptr: parameter.
  ParameterPtr implicit;
};

// Who has begun the first segment: the application, and it ends it; or an upcall, or spawn().
enum class Origin : unsigned char { Application, Upcall, Spawned };

class Leg final {
 public:
  // The innermost one of the calling thread, where it is one of that scheduler's; else nullptr.
  static Leg* current(const SchedulerState& state) noexcept;
  static Leg* innermost() noexcept;

  // On top of the thread's stack; Idle as yet. thread: held (DistributableThreads), and released at the end.
  static Leg& begin(std::shared_ptr<SchedulerState> state, DistributableThread_var thread, Origin origin,
                    Segment first);
  // Its segments end with it. It is the innermost one.
  static void end(Leg& leg) noexcept;

  Leg(std::shared_ptr<SchedulerState> state, DistributableThread_var thread, Origin origin, Segment first);
  ~Leg();
  Leg(const Leg&) = delete;
  Leg& operator=(const Leg&) = delete;

  SchedulerState& state() const { return *state_; }
  DistributableThread& thread() const { return *thread_.in(); }
  const std::vector<Segment>& segments() const { return segments_; }
  const Segment& innermost_segment() const { return segments_.back(); }
  Origin origin() const { return origin_; }
  bool cancelled() const { return thread().cancelled().load(); }
  Entry& entry() { return entry_; }

  // Waits for its turn from now on, though the native thread does not as yet; enter() comes next.
  void announce() { state_->gate().announce(entry_); }
  // Scheduling points. THREAD_CANCELLED: of a leg of the application's, nothing is left of it then.
  void enter();
  void begin_segment(Segment s);
  void update_segment(Segment s);
  // Of the application's; not the last one of a leg of its own, which end() ends.
  void end_segment();
  void check() {
    if (cancelled()) raise_cancelled();
  }
  [[noreturn]] void raise_cancelled();

  // Gives up its place, while it waits for what is no scheduling point.
  void leave() { state_->gate().leave(entry_); }

  // An upcall's number, with whom it has it from.
  void set_upcall(const void* server, CORBA::ULong request) {
    server_ = server;
    request_ = request;
  }
  bool is_upcall(const void* server, CORBA::ULong request) const {
    return origin_ == Origin::Upcall && server_ == server && request_ == request;
  }

  // Two-way calls. False: cancelled.
  bool call_begins(OutstandingCall call) { return state_->threads().call_begins(thread(), calls_, std::move(call)); }
  std::optional<OutstandingCall> call_ends(const void* sender, CORBA::ULong request) {
    return state_->threads().call_ends(calls_, sender, request);
  }

  // By any thread, under the lock of the DistributableThreads.
  void wake() { state_->gate().wake(entry_); }
  // Where its last call has gone; nil: it waits for none.
  CORBA::Object_var waits_for() const { return calls_.empty() ? CORBA::Object_var() : calls_.back().target; }

 private:
  void go_on(Gate::Outcome outcome) {
    if (outcome == Gate::Outcome::Cancelled) raise_cancelled();
  }

  const std::shared_ptr<SchedulerState> state_;
  const DistributableThread_var thread_;
  const Origin origin_;
  std::vector<Segment> segments_;  // never empty
  Entry entry_;
  const void* server_ = nullptr;
  CORBA::ULong request_ = 0;
  std::vector<OutstandingCall> calls_;  // guarded by the lock of the DistributableThreads
};

// Where a cancelled thread's segments have been ended by THREAD_CANCELLED, their end_scheduling_segment() may still
// come: each is THREAD_CANCELLED once more. True: this is one. A new begin_scheduling_segment() forgets them.
bool take_cancelled_end(const SchedulerState& state) noexcept;
// Whether there would be one.
bool has_cancelled_ends(const SchedulerState& state) noexcept;
void forget_cancelled_ends() noexcept;

[[noreturn]] void throw_cancelled(CORBA::CompletionStatus completed = CORBA::COMPLETED_NO);

}  // namespace callis::rt::scheduling
