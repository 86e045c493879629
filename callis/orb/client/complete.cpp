// SPDX-License-Identifier: Apache-2.0
#include <callis/base/blocking_scope.h>
#include <callis/orb/client/complete.h>

namespace callis::orb {

void complete(Invocation& invocation) {
  using State = Invocation::State;
  for (;;) {
    switch (invocation.advance()) {
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
      case State::Failed: invocation.raise_exception();
      default: return;
    }
  }
}

}  // namespace callis::orb
