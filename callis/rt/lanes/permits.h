// SPDX-License-Identifier: Apache-2.0
// Permits: how many upcalls the lanes of one pool may execute together, if each could execute more. This is so in a
// pool without lanes, whose threads serve every priority, and in a pool whose lanes borrow from one another.
//
// A pool of n threads without lanes has, in truth, threads for each priority of its requests (Threadpool), so that
// every request is read at its own priority. It has n permits. A request takes a permit before its upcall, and gives
// it back after the upcall. For the i-th priority from above there are n - min(i, n - 1) permits: i are kept for the
// higher priorities, however many of its own requests there are. So a request waits for a request of lower priority
// only if there are more priorities than threads. Meanwhile the upcall of lower priority is executed at the priority
// of the request that waits (inheritance). No priority in between can delay the two.
//
// A lane that borrows takes the permit of a lower lane if its own permits are in use.
//
// One mutex with priority inheritance guards everything, for a few instructions at a time. Any thread may call.
#pragma once
#include <callis/rt/base/mutex_with_inheritance.h>
#include <cstdint>
#include <memory>
#include <vector>

namespace callis::rt {

struct PermitTerms {
  bool lanes = false;           // each class has permits of its own (add()); otherwise all share `shared`
  bool borrowing = false;       // with lanes: from lower classes
  std::uint32_t shared = 0;
  bool waits = true;            // a request may wait for a permit: request buffering
  std::uint32_t most_waiting = 0;  // 0: no limit but that of threads
  std::size_t most_bytes = 0;      // of the arguments of those that wait; 0: no limit
};

class Permits final {
 public:
  explicit Permits(const PermitTerms& terms) : terms_(terms) {}
  Permits(const Permits&) = delete;
  Permits& operator=(const Permits&) = delete;

  // A class of requests: the requests of one lane, or of one priority. Classes are added in any order, and stay.
  class Class;
  Class& add(std::int16_t priority, int native, std::uint32_t own);
  ~Permits();

  // The permit that the calling thread holds between enter() and leave().
  struct Held {
    Class* of = nullptr;    // nullptr: nothing
    Class* from = nullptr;  // the owner of the permit: another class if it is borrowed
    pthread_t thread{};
    int native = 0;         // the priority that the thread has; raised while others wait for it
    bool raised = false;
    Held* next = nullptr;   // of those that run
    Held* previous = nullptr;
  };
  // Takes a permit for a request of that class, which the calling thread executes at the class's native priority.
  // Waits for a permit if the terms say so. bytes: of the request's arguments. Returns false if there is no permit;
  // the request is then refused. The caller leaves `held` at its place until leave().
  bool enter(Class& of, Held& held, std::size_t bytes = 0);
  // Gives the permit back. Returns true if other threads have raised the thread's native priority meanwhile: the
  // caller then lowers it again.
  bool leave(Held& held);

  std::uint32_t running() const;
  std::uint32_t waiting() const;
  // Counts upcalls that have begun while a request of a higher priority waited for a permit. It is always 0.
  std::uint64_t inversions() const;

 private:
  struct Waiting;

  Class* source_for(Class& of) const;
  void take(Class& of, Class& from, Held& held);
  void grant();
  void raise_those_below(const Class& of);

  const PermitTerms terms_;
  mutable MutexWithInheritance mutex_;
  std::vector<std::unique_ptr<Class>> classes_;  // ascending
  Held* running_threads_ = nullptr;
  std::uint32_t running_ = 0, waiting_ = 0;
  std::size_t waiting_bytes_ = 0;
  std::uint64_t inversions_ = 0;
};

class Permits::Class final {
 public:
  std::int16_t priority() const { return priority_; }
  int native() const { return native_; }

 private:
  friend class Permits;
  std::int16_t priority_ = 0;
  int native_ = 0;
  std::uint32_t own_ = 0;       // permits of its own, with lanes
  std::uint32_t used_ = 0;      // of its own
  std::uint32_t running_ = 0;   // its requests
  Waiting* first_ = nullptr;    // of its requests that wait
  Waiting** last_ = &first_;
};

}  // namespace callis::rt
