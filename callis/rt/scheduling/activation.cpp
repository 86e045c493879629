// SPDX-License-Identifier: Apache-2.0
// The stack of activations of each native thread, and what cancellation does to it.
#include <callis/rt/scheduling/activation.h>
#include <callis/rt/scheduling/minor_codes.h>

namespace callis::rt::scheduling {
namespace {

struct OfThread {
  std::vector<std::unique_ptr<Activation>> stack;
  const void* cancelled_by = nullptr;  // the engine whose segments have been ended, and how many
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

bool take_cancelled_end(const Engine& engine) noexcept {
  if (of_thread.cancelled_by != &engine || of_thread.cancelled_ends == 0) return false;
  --of_thread.cancelled_ends;
  return true;
}

void forget_cancelled_ends() noexcept { of_thread.cancelled_ends = 0; }

Activation* Activation::innermost() noexcept {
  return of_thread.stack.empty() ? nullptr : of_thread.stack.back().get();
}

Activation* Activation::current(const Engine& engine) noexcept {
  Activation* const a = innermost();
  return a && a->engine_.get() == &engine ? a : nullptr;
}

Activation& Activation::begin(std::shared_ptr<Engine> engine, DistributableThread_var thread, Origin origin,
                              Segment first) {
  try {
    of_thread.stack.push_back(nullptr);
    of_thread.stack.back() = std::make_unique<Activation>(engine, thread, origin, std::move(first));
  } catch (...) {  // no memory
    if (!of_thread.stack.empty() && !of_thread.stack.back()) of_thread.stack.pop_back();
    engine->threads().release(*thread.in());
    throw;
  }
  return *of_thread.stack.back();
}

void Activation::end(Activation& a) noexcept {
  if (innermost() == &a) of_thread.stack.pop_back();
}

Activation::Activation(std::shared_ptr<Engine> engine, DistributableThread_var thread, Origin origin, Segment first)
    : engine_(std::move(engine)), thread_(std::move(thread)), origin_(origin), segments_(1, std::move(first)),
      entry_(segments_.front().parameter, thread_.in()->cancelled()) {
  engine_->threads().begins(*thread_.in(), *this);
}

Activation::~Activation() {
  engine_->gate().end(entry_);
  engine_->threads().ends(thread(), *this);
  engine_->threads().release(thread());
}

void Activation::enter() { go_on(engine_->gate().enter(entry_)); }

void Activation::begin_segment(Segment s) {
  segments_.push_back(std::move(s));
  go_on(engine_->gate().change(entry_, innermost_segment().parameter));
}

void Activation::update_segment(Segment s) {
  segments_.back() = std::move(s);
  go_on(engine_->gate().change(entry_, innermost_segment().parameter));
}

void Activation::end_segment() {
  segments_.pop_back();
  go_on(engine_->gate().change(entry_, innermost_segment().parameter));
}

// The segments end, inside out. Those that belong to the ORB stay until their upcall or action is over.
void Activation::raise_cancelled() {
  leave();
  const std::size_t owned = origin_ == Origin::Application ? 0 : 1;
  if (of_thread.cancelled_by != engine_.get()) of_thread.cancelled_ends = 0;
  of_thread.cancelled_by = engine_.get();
  of_thread.cancelled_ends += segments_.size() - owned;
  if (owned == 0) end(*this);
  else segments_.resize(owned);
  throw_cancelled();
}

}  // namespace callis::rt::scheduling
