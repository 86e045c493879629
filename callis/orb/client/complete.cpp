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
  OrbContext& orb = invocation.target().orb();
  if (hold && !hold(orb, terms.request_start)) [[unlikely]] orb.check_running();
  bool answered = false;
  for (;;) {
    switch (invocation.advance()) {
      case State::Connecting: answered = false, invocation.connected(invocation.connect()); break;
      case State::Sending: invocation.sent(invocation.send()); break;
      case State::Sent: {
        ClientConnection::Arrival a;
        {
          const BlockingScope blocked;
          invocation.connection().receive(invocation.request_id(), invocation.reply_deadline(), a);
        }
        answered = a.fault == Fault::None;
        invocation.arrived(a);
        break;
      }
      case State::Failed:
        if (hold && answered) [[unlikely]] hold(orb, terms.reply_start);
        invocation.raise_exception();
      default:
        if (hold && answered) [[unlikely]] hold(orb, terms.reply_start);
        return;
    }
  }
}

}  // namespace callis::orb
