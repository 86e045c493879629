// SPDX-License-Identifier: Apache-2.0
// DeferredCall: a call that no thread waits for. One thread sends it, where that can be done at once; later any
// thread looks whether the reply has come. For programs that have many calls under way, as an event channel has: who
// waits for all of them watches their descriptors.
//
//   begin() ──→ NotNow, Never: nothing was sent; call() makes the call. Over: end() says how
//     ↓ Sent
//   look()  ──→ Pending: the reply is not here
//     │   ↑        │ descriptor() shows that something has come, or time passes
//     │   └────────┘
//     ├──→ Over: end() says how
//     └──→ Waits: it has been forwarded, say, and somebody has to wait: finish()
//
// One thread at a time; which one may change between calls of members.
#pragma once
#include <callis/orb/client/invocation.h>
#include <optional>

namespace callis::orb {

class DeferredCall final {
 public:
  enum class Begun : std::uint8_t {
    Sent,
    Over,    // it has failed before it was sent; end() says how
    NotNow,  // there is no idle connection to the object, or the call must not be sent yet
    Never,   // calls to this object cannot be deferred: it is of this ORB, or connections to it are shared
  };
  enum class Progress : std::uint8_t { Pending, Over, Waits };

  // All that is passed outlives it. limit: of each call's time, unless a policy says another; 0: the ORB's.
  DeferredCall(Reference& target, const CallOperation& operation, CallBody& body, Duration limit = Duration{0})
      : target_(target), operation_(operation), body_(body), limit_(limit) {}
  // Gives the call up, when it is under way: the server is told so.
  ~DeferredCall();
  DeferredCall(const DeferredCall&) = delete;
  DeferredCall& operator=(const DeferredCall&) = delete;

  // Sends the request on an idle connection. Does not wait for the peer as long as the request fits into the socket's
  // buffer, which is empty. When the last call is over; then another one begins.
  // connects: where no connection is idle one is opened, and that is waited for. Over happens then alone.
  Begun begin(bool connects = false);
  // Reads what has come, without waiting. TIMEOUT is an end, too: when the call's time has passed.
  Progress look();
  // The descriptor that becomes readable when something comes for this call; -1: the call is not pending.
  int descriptor() const {
    const bool pending = invocation_ && invocation_->state() == Invocation::State::Sent;
    return pending ? invocation_->connection().descriptor() : -1;
  }
  // Waits until it is over.
  void finish();
  // How it is over: returns, or throws what a call would.
  void end();
  // Gives up what is under way.
  void drop() noexcept;

 private:
  Progress advanced();

  Reference& target_;
  const CallOperation& operation_;
  CallBody& body_;
  const Duration limit_;
  std::optional<Invocation> invocation_;
};

}  // namespace callis::orb
