// SPDX-License-Identifier: Apache-2.0
// ThreadPart: one native thread's part of a distributable thread's way, with its scheduling segments. A native thread
// has a stack of parts: while it waits for a reply it may serve an upcall, of the same distributable thread or of
// another.
// All functions but wake() are for the native thread itself.
#pragma once
#include <callis/rt/scheduling/scheduler_state.h>
#include <string>

namespace callis::rt::scheduling {

struct Segment {
  std::string name;
  ParameterPtr parameter;
  // For distributable threads that begin in the segment and are given no parameter; nullptr stands for `parameter`.
  ParameterPtr implicit;
};

// Says who has begun the first segment: the application, which also ends the segment; or an upcall, or spawn().
enum class Origin : unsigned char { Application, Upcall, Spawned };

class ThreadPart final {
 public:
  // Returns the innermost part of the calling thread if the part belongs to that scheduler, else nullptr.
  static ThreadPart* current(const SchedulerState& state) noexcept;
  static ThreadPart* innermost() noexcept;

  // Puts a part on top of the thread's stack, Idle as yet. thread: held (DistributableThreads), and released at the
  // end.
  static ThreadPart& begin(std::shared_ptr<SchedulerState> state, DistributableThread_var thread, Origin origin,
                    Segment first);
  // Ends the part and its segments. It is the innermost part.
  static void end(ThreadPart& part) noexcept;

  ThreadPart(std::shared_ptr<SchedulerState> state, DistributableThread_var thread, Origin origin, Segment first);
  ~ThreadPart();
  ThreadPart(const ThreadPart&) = delete;
  ThreadPart& operator=(const ThreadPart&) = delete;

  SchedulerState& state() const { return *state_; }
  DistributableThread& thread() const { return *thread_.in(); }
  const std::vector<Segment>& segments() const { return segments_; }
  const Segment& innermost_segment() const { return segments_.back(); }
  Origin origin() const { return origin_; }
  bool cancelled() const { return thread().cancelled().load(); }
  Entry& entry() { return entry_; }

  // The part waits for its turn from now on, though the native thread goes on. enter() comes next.
  void announce() { state_->gate().announce(entry_); }
  // These are scheduling points. If they raise THREAD_CANCELLED in a part of the application's, nothing is left of
  // the part.
  void enter();
  void begin_segment(Segment s);
  void update_segment(Segment s);
  // Ends a segment of the application's. The last segment of a part ends by end().
  void end_segment();
  void check() {
    if (cancelled()) raise_cancelled();
  }
  [[noreturn]] void raise_cancelled();

  // Gives up the part's place for a wait that is no scheduling point.
  void leave() { state_->gate().leave(entry_); }

  // Notes the upcall's number, and the server that has given the number.
  void set_upcall(const void* server, CORBA::ULong request) {
    server_ = server;
    request_ = request;
  }
  bool is_upcall(const void* server, CORBA::ULong request) const {
    return origin_ == Origin::Upcall && server_ == server && request_ == request;
  }

  // These are for two-way calls. call_begins() returns false if the thread is cancelled.
  bool call_begins(OutstandingCall call) { return state_->threads().call_begins(thread(), calls_, std::move(call)); }
  std::optional<OutstandingCall> call_ends(const void* sender, CORBA::ULong request) {
    return state_->threads().call_ends(calls_, sender, request);
  }

  // Any thread may call this, under the lock of the DistributableThreads.
  void wake() { state_->gate().wake(entry_); }
  // Returns the target of the last call; nil if the part waits for no reply.
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

// After THREAD_CANCELLED has ended a thread's segments, the application's end_scheduling_segment() may still come for
// each. Each such call raises THREAD_CANCELLED once more. Returns true if this is such a call. A new
// begin_scheduling_segment() forgets them.
bool take_cancelled_end(const SchedulerState& state) noexcept;
// Returns whether take_cancelled_end() would return true.
bool has_cancelled_ends(const SchedulerState& state) noexcept;
void forget_cancelled_ends() noexcept;

[[noreturn]] void throw_cancelled(CORBA::CompletionStatus completed = CORBA::COMPLETED_NO);

}  // namespace callis::rt::scheduling
