// SPDX-License-Identifier: Apache-2.0
// Plain calls by Encoder and Decoder, and the ways of calls that are not plain.
#include <callis/base/text.h>
#include <callis/orb/client/collocated_call.h>
#include <callis/orb/client/plain_call.h>

namespace callis::orb {
namespace {

// Makes a call to an object of the own ORB, if no policy is set. Returns false if the call has to go as a message.
bool call_collocated(Reference& target, const CallOperation& operation, CallBody& body) {
  const Path* const own = target.collocated_path();
  return own && target.orb().own_calls_are_plain() && !t_call_policies &&
         call_through_adapter(target, *own, operation, body);
}

}  // namespace

[[gnu::cold, gnu::noinline]] void call_in_full(const Way& way, const CallOperation& operation, CallBody& body,
                                                 const Times& t, Connection c, const Path* path) {
  Reference& target = way.target;
  target.orb().check_running();
  if (const SteeringCalls* const s = path ? nullptr : steering(); s && s->call(target, operation, body)) return;
  if (!path && call_collocated(target, operation, body)) return;
  Invocation invocation(target, operation, body, t.now, t.deadline);
  if (c) {
    c->leave_place();
    invocation.use(way.to, std::move(c), *path);
  }
  complete(invocation);
}

[[gnu::cold, gnu::noinline]] void go_on_in_full(const Way& way, const CallOperation& operation, CallBody& body,
                                                  const Times& t, Connection c, const Path& path, const Sent& sent) {
  Invocation invocation(way.target, operation, body, t.now, t.deadline);
  c->leave_place();  // the invocation may outlive the endpoint
  invocation.resume(way.to, std::move(c), path, sent.id);
  invocation.sent(sent.transfer);
  complete(invocation);
}

[[gnu::hot]] void call(Reference& target, const CallOperation& operation, CallBody& body) {
  try {
    call_plainly({target, target}, operation, body, Coded{body});
  } catch (const std::bad_alloc&) {
    raise<CORBA::NO_MEMORY>(own(Fault::OutOfMemory), CORBA::COMPLETED_MAYBE);
  }
}

// --- Invocations whose caller waits ---

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

// --- Faults ---

void bad_results(const CallOperation& operation, Fault f) {
  throw_fault(f, concat({"results of ", operation.name}), Step::DecodeReply);
}

void bad_arguments(const CallOperation& operation, Fault f) {
  throw_fault(f, operation.name, Step::Encode);
}

}  // namespace callis::orb
