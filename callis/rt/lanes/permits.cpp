// SPDX-License-Identifier: Apache-2.0
// Permits are given, requests wait for permits, and running upcalls inherit the priority of waiting requests.
#include <callis/rt/lanes/permits.h>
#include <algorithm>
#include <mutex>
#include <sched.h>
#include <semaphore.h>

namespace callis::rt {

// A request that waits for a permit, on the stack of its thread.
struct Permits::Waiting {
  Held& held;
  const std::size_t bytes;
  Waiting* next = nullptr;
  sem_t granted;
  Waiting(Held& h, std::size_t n) : held(h), bytes(n) { (void)::sem_init(&granted, 0, 0); }
  ~Waiting() { (void)::sem_destroy(&granted); }
};

Permits::~Permits() = default;

Permits::Class& Permits::add(std::int16_t priority, int native, std::uint32_t own) {
  auto made = std::make_unique<Class>();
  Class& c = *made;
  c.priority_ = priority;
  c.native_ = native;
  c.own_ = own;
  const std::lock_guard lock(mutex_);
  const auto at =
      std::ranges::upper_bound(classes_, priority, {}, [](const auto& other) { return other->priority_; });
  classes_.insert(at, std::move(made));
  return c;
}

// Returns the class whose permit a request of the class `of` may have now; nullptr for none. The caller holds the
// mutex.
Permits::Class* Permits::source_for(Class& of) const {
  if (terms_.lanes) {
    if (of.used_ < of.own_) return &of;
    if (!terms_.borrowing) return nullptr;
    for (std::size_t i = classes_.size(); i-- > 0;) {  // the most urgent of those below first
      Class& below = *classes_[i];
      if (below.priority_ < of.priority_ && below.used_ < below.own_ && !below.first_) return &below;
    }
    return nullptr;
  }
  std::uint32_t above = 0, up_to_this = 0;
  for (const auto& c : classes_) {
    if (c->priority_ > of.priority_) ++above;
    else up_to_this += c->running_;
  }
  const std::uint32_t kept = std::min(above, terms_.shared - 1);
  return running_ < terms_.shared && up_to_this < terms_.shared - kept ? &of : nullptr;
}

// The caller holds the mutex.
void Permits::take(Class& of, Class& from, Held& held) {
  held.of = &of;
  held.from = &from;
  held.native = of.native_;
  held.raised = false;
  held.previous = nullptr;
  held.next = running_threads_;
  if (held.next) held.next->previous = &held;
  running_threads_ = &held;
  ++running_;
  ++of.running_;
  ++from.used_;
  if (terms_.lanes) return;
  for (const auto& c : classes_) inversions_ += c->priority_ > of.priority_ && c->first_;
}

bool Permits::enter(Class& of, Held& held, std::size_t bytes) {
  held.thread = ::pthread_self();
  Waiting mine(held, bytes);
  {
    const std::lock_guard lock(mutex_);
    Class* const from = of.first_ ? nullptr : source_for(of);
    if (from) return take(of, *from, held), true;
    if (!terms_.waits || (terms_.most_waiting != 0 && waiting_ >= terms_.most_waiting)) return false;
    const std::size_t room = terms_.most_bytes - std::min(waiting_bytes_, terms_.most_bytes);
    if (terms_.most_bytes != 0 && bytes > room) return false;
    ++waiting_;
    waiting_bytes_ += bytes;
    *of.last_ = &mine;
    of.last_ = &mine.next;
    raise_those_below(of);
  }
  while (::sem_wait(&mine.granted) != 0) {}  // a signal
  return true;
}

// Gives the priority of the class to the upcalls that the class waits for. The caller holds the mutex.
void Permits::raise_those_below(const Class& of) {
  for (Held* h = running_threads_; h; h = h->next) {
    if (h->native == 0 || h->native >= of.native_) continue;
    const sched_param param{of.native_};
    if (::pthread_setschedparam(h->thread, SCHED_FIFO, &param) != 0) continue;
    h->native = of.native_;
    h->raised = true;
  }
}

// Gives free permits to waiting requests, the highest priority first. The caller holds the mutex.
void Permits::grant() {
  for (std::size_t i = classes_.size(); i-- > 0;) {
    Class& c = *classes_[i];
    while (c.first_) {
      Class* const from = source_for(c);
      if (!from) break;
      Waiting& w = *c.first_;
      c.first_ = w.next;
      if (!c.first_) c.last_ = &c.first_;
      --waiting_;
      waiting_bytes_ -= w.bytes;
      take(c, *from, w.held);
      (void)::sem_post(&w.granted);
    }
  }
}

bool Permits::leave(Held& held) {
  const std::lock_guard lock(mutex_);
  (held.previous ? held.previous->next : running_threads_) = held.next;
  if (held.next) held.next->previous = held.previous;
  --running_;
  --held.of->running_;
  --held.from->used_;
  grant();
  return held.raised;
}

std::uint32_t Permits::running() const {
  const std::lock_guard lock(mutex_);
  return running_;
}

std::uint32_t Permits::waiting() const {
  const std::lock_guard lock(mutex_);
  return waiting_;
}

std::uint64_t Permits::inversions() const {
  const std::lock_guard lock(mutex_);
  return inversions_;
}

}  // namespace callis::rt
