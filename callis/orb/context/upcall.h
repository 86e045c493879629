// SPDX-License-Identifier: Apache-2.0
// Around a call of a servant, on its thread.
#pragma once
#include <callis/orb/context/orb_context.h>

namespace callis::orb {

// That the thread is in an upcall of that ORB; one inside the other.
class Entered {
 public:
  Entered(const Entered&) = delete;
  Entered& operator=(const Entered&) = delete;
  // Whether the calling thread is in an upcall of that ORB.
  static bool inside(const OrbContext& orb) noexcept;
  // The ORB whose upcall the calling thread is in, the innermost; nullptr outside.
  static OrbContext* orb_of_upcall() noexcept { return innermost ? &innermost->orb_ : nullptr; }

 protected:
  explicit Entered(OrbContext& orb) noexcept : orb_(orb), outer_(innermost) {}
  ~Entered() = default;
  static constinit thread_local Entered* innermost __attribute__((tls_model("initial-exec")));  // of the thread
  OrbContext& orb_;
  Entered* const outer_;
};

// Waits while Limits::max_dispatches are running, but not inside another one: it would wait for itself. Nobody reads
// from the connection meanwhile.
class Upcall final : public Entered {
 public:
  struct Counted {};  // by another Upcall, which waits for this one to end
  Upcall(OrbContext& orb, Counted) noexcept : Entered(orb), counted_(!outer_) {
    if (counted_) orb_.upcalls().begin_another();
    innermost = this;
  }
  explicit Upcall(OrbContext& orb) noexcept : Entered(orb), counted_(!outer_) {
    if (counted_) [[likely]] orb_.upcalls().begin();
    innermost = this;
  }
  ~Upcall() {
    innermost = outer_;
    if (counted_) [[likely]] orb_.upcalls().end();
  }

 private:
  const bool counted_;
};

// A direct call, which the limit is not for.
class DirectUpcall final : public Entered {
 public:
  explicit DirectUpcall(OrbContext& orb) noexcept : Entered(orb) { innermost = this; }
  ~DirectUpcall() { innermost = outer_; }
};

}  // namespace callis::orb
