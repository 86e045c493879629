// SPDX-License-Identifier: Apache-2.0
// DeferredCall: a call that no thread waits for. One thread sends it, if this can be done at once. Later any thread
// looks whether the reply has come. It is made for programs with many calls under way, such as an event channel,
// which wait for all calls by watching their descriptors.
//
//   begin() ──→ NotNow, Never: nothing was sent; call() makes the call. Over: end() says how
//     ↓ Sent
//   look()  ──→ Pending: the reply is not here
//     │   ↑        │ descriptor() shows that something has come, or time passes
//     │   └────────┘
//     ├──→ Over: end() says how
//     └──→ Waits: it has been forwarded, say, and somebody has to wait: finish()
//
// Used by one thread at a time, which may change between calls of members.
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

  // All arguments outlive the object. limit bounds each call's time, unless a policy says another limit; 0 means the
  // ORB's.
  DeferredCall(Reference& target, const CallOperation& operation, CallBody& body, Duration limit = Duration{0})
      : target_(target), operation_(operation), body_(body), limit_(limit) {}
  // Gives the call up if it is under way, and tells the server.
  ~DeferredCall();
  DeferredCall(const DeferredCall&) = delete;
  DeferredCall& operator=(const DeferredCall&) = delete;

  // Sends the request on an idle connection. Does not wait for the peer if the request fits into the socket's buffer,
  // which is empty. May be called again when the last call is over, to begin another call. connects: if no connection
  // is idle, begin() opens one, and waits for it. Only then can the result be Over.
  Begun begin(bool connects = false);
  // Reads the bytes that have come, without waiting. TIMEOUT is an end, too: the call's time has passed.
  Progress look();
  // The descriptor that becomes readable when something comes for this call; -1: the call is not pending.
  int descriptor() const {
    const bool pending = invocation_ && invocation_->state() == Invocation::State::Sent;
    return pending ? invocation_->connection().descriptor() : -1;
  }
  // Waits until the call is over.
  void finish();
  // Tells the outcome: returns, or throws the exception of the call.
  void end();
  // Gives up the call that is under way.
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
