// SPDX-License-Identifier: Apache-2.0
#include <callis/base/blocking_scope.h>
#include <callis/orb/client/complete.h>
#include <callis/orb/context/orb_context.h>

namespace callis::orb {

// Start times are kept to here, as the steps of an invocation do not wait.
void complete(Invocation& invocation) {
  using State = Invocation::State;
  const CallTerms& terms = invocation.terms();
  const auto hold = invocation.is_call() ? terms.hold : nullptr;
  if (hold) [[unlikely]] hold(invocation.target().orb(), terms, false);
  for (;;) {
    const State state = invocation.advance();
    switch (state) {
      case State::Connecting: invocation.connected(invocation.connect()); break;
      case State::Sending: invocation.sent(invocation.send()); break;
      case State::Sent: {
        ClientConnection::Arrival a;
        {
          const BlockingScope blocked;
          invocation.connection().receive(invocation.request_id(), invocation.reply_deadline(), a);
        }
        invocation.arrived(a);
        break;
      }
      default:
        if (hold && invocation.has_reply()) [[unlikely]] hold(invocation.target().orb(), terms, true);
        if (state == State::Failed) invocation.raise_exception();
        return;
    }
  }
}

}  // namespace callis::orb
