// SPDX-License-Identifier: Apache-2.0
// The stack of parts of each native thread, and what cancellation does to it.
#include <callis/rt/scheduling/minor_codes.h>
#include <callis/rt/scheduling/thread_part.h>

namespace callis::rt::scheduling {
namespace {

struct OfThread {
  std::vector<std::unique_ptr<ThreadPart>> stack;
  std::uint64_t cancelled_by = 0;  // the number of the scheduler whose segments have been ended, and how many
  std::size_t cancelled_ends = 0;

  // A thread that ends inside segments leaves them.
  ~OfThread() {
    while (!stack.empty()) stack.pop_back();
  }
};
thread_local OfThread of_thread;

}  // namespace

void throw_cancelled(CORBA::CompletionStatus completed) {
  orb::raise<CORBA::THREAD_CANCELLED>(kThreadCancelled, completed, "the distributable thread has been cancelled");
}

bool has_cancelled_ends(const SchedulerState& state) noexcept {
  return of_thread.cancelled_by == state.number() && of_thread.cancelled_ends != 0;
}

bool take_cancelled_end(const SchedulerState& state) noexcept {
  if (!has_cancelled_ends(state)) return false;
  --of_thread.cancelled_ends;
  return true;
}

void forget_cancelled_ends() noexcept { of_thread.cancelled_ends = 0; }

ThreadPart* ThreadPart::innermost() noexcept {
  return of_thread.stack.empty() ? nullptr : of_thread.stack.back().get();
}

ThreadPart* ThreadPart::current(const SchedulerState& state) noexcept {
  ThreadPart* const part = innermost();
  return part && part->state_.get() == &state ? part : nullptr;
}

ThreadPart& ThreadPart::begin(std::shared_ptr<SchedulerState> state, DistributableThread_var thread, Origin origin,
                Segment first) {
  try {
    of_thread.stack.push_back(nullptr);
    of_thread.stack.back() = std::make_unique<ThreadPart>(state, thread, origin, std::move(first));
  } catch (...) {  // no memory
    if (!of_thread.stack.empty() && !of_thread.stack.back()) of_thread.stack.pop_back();
    state->threads().release(*thread.in());
    throw;
  }
  return *of_thread.stack.back();
}

void ThreadPart::end(ThreadPart& part) noexcept {
  if (innermost() == &part) of_thread.stack.pop_back();
}

ThreadPart::ThreadPart(std::shared_ptr<SchedulerState> state, DistributableThread_var thread, Origin origin,
                       Segment first)
    : state_(std::move(state)), thread_(std::move(thread)), origin_(origin), segments_(1, std::move(first)),
      entry_(segments_.front().parameter, thread_.in()->cancelled()) {
  state_->threads().begins(*thread_.in(), *this);
}

ThreadPart::~ThreadPart() {
  state_->gate().end(entry_);
  state_->threads().ends(thread(), *this);
  state_->threads().release(thread());
}

void ThreadPart::enter() { go_on(state_->gate().enter(entry_)); }

void ThreadPart::begin_segment(Segment s) {
  segments_.push_back(std::move(s));
  go_on(state_->gate().change(entry_, innermost_segment().parameter));
}

void ThreadPart::update_segment(Segment s) {
  segments_.back() = std::move(s);
  go_on(state_->gate().change(entry_, innermost_segment().parameter));
}

void ThreadPart::end_segment() {
  segments_.pop_back();
  go_on(state_->gate().change(entry_, innermost_segment().parameter));
}

// The segments end, inside out. Segments of the ORB stay until their upcall or action is over.
void ThreadPart::raise_cancelled() {
  leave();
  const std::size_t owned = origin_ == Origin::Application ? 0 : 1;
  if (of_thread.cancelled_by != state_->number()) of_thread.cancelled_ends = 0;
  of_thread.cancelled_by = state_->number();
  of_thread.cancelled_ends += segments_.size() - owned;
  if (owned == 0) end(*this);
  else segments_.resize(owned);
  throw_cancelled();
}

}  // namespace callis::rt::scheduling
