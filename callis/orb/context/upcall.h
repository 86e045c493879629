// SPDX-License-Identifier: Apache-2.0
// Upcall, DirectUpcall: stand on the stack around the call of a servant, and say which ORB the thread is in.
#pragma once
#include <callis/orb/context/orb_context.h>

namespace callis::orb {

// Says, as long as it lives, that the calling thread is in an upcall of that ORB. Upcalls of one thread nest.
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

// The upcall of a request. Its constructor waits while Limits::max_dispatches upcalls run, but not inside another
// upcall of the thread, which would wait for itself.
class Upcall final : public Entered {
 public:
  struct Counted {};  // by another Upcall, which waits for this one to end
  Upcall(OrbContext& orb, Counted) noexcept : Entered(orb), counted_(!outer_) {
    if (counted_) orb_.upcalls().begin_another();
    innermost = this;
  }
  // has_place: of the thread (UpcallGate::take_place()).
  explicit Upcall(OrbContext& orb, bool has_place = false) noexcept : Entered(orb), counted_(!outer_ && !has_place) {
    if (counted_) [[unlikely]] orb_.upcalls().begin();
    innermost = this;
  }
  ~Upcall() {
    innermost = outer_;
    if (counted_) [[unlikely]] orb_.upcalls().end();
  }

 private:
  const bool counted_;
};

// A direct call of a collocated object, to which the limit does not apply.
class DirectUpcall final : public Entered {
 public:
  explicit DirectUpcall(OrbContext& orb) noexcept : Entered(orb) { innermost = this; }
  ~DirectUpcall() { innermost = outer_; }
};

}  // namespace callis::orb
