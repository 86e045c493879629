// SPDX-License-Identifier: Apache-2.0
#include <callis/orb/client/deferred_call.h>
#include <callis/orb/context/orb_context.h>

namespace callis::orb {

using State = Invocation::State;

DeferredCall::~DeferredCall() { drop(); }

void DeferredCall::drop() noexcept {
  if (invocation_ && invocation_->state() == State::Sent) {
    try {
      ClientConnection::Arrival given_up;
      given_up.fault = Fault::DeadlinePassed;
      invocation_->arrived(given_up);
    } catch (...) {  // an exception of the body's; the connection is gone with the call
    }
  }
  invocation_.reset();
}

DeferredCall::Begun DeferredCall::begin(bool connects) {
  OrbContext& orb = target_.orb();
  invocation_.reset();
  if (target_.paths().empty() || target_.collocated_path() || orb.bidirectional()) return Begun::Never;
  const TimePoint now = Clock::steady().now();
  const Duration limit = limit_.count() > 0 ? limit_ : orb.limits().call_timeout;
  invocation_.emplace(target_, operation_, body_, now, limit.count() > 0 ? Deadline::at(now + limit) : Deadline());
  State state = invocation_->terms().hold ? State::Choosing : invocation_->advance();
  while (connects && state == State::Connecting) {
    invocation_->connected(invocation_->connect());
    state = invocation_->advance();
  }
  if (connects && state == State::Failed) return Begun::Over;
  if (state != State::Sending) {
    invocation_.reset();
    return Begun::NotNow;
  }
  const ClientConnection& c = invocation_->connection();
  if (c.lane() || c.descriptor() < 0) {
    invocation_.reset();
    return Begun::Never;
  }
  invocation_->sent(invocation_->send());
  if (invocation_->advance() != State::Connecting) return Begun::Sent;
  invocation_.reset();  // the server had closed the connection: nothing was executed
  return Begun::NotNow;
}

DeferredCall::Progress DeferredCall::advanced() {
  switch (invocation_->advance()) {
    case State::Completed:
    case State::Failed: return Progress::Over;
    case State::Sent: return Progress::Pending;
    default: return Progress::Waits;
  }
}

DeferredCall::Progress DeferredCall::look() {
  if (invocation_->state() != State::Sent) return advanced();
  ClientConnection::Arrival a;
  invocation_->connection().receive_now(invocation_->request_id(), a);
  if (!a.plain && a.fault == Fault::DeadlinePassed && !invocation_->reply_deadline().passed())
    return Progress::Pending;
  invocation_->arrived(a);
  return advanced();
}

void DeferredCall::finish() {
  try {
    complete(*invocation_);
  } catch (const CORBA::Exception&) {  // is kept for end()
  }
}

void DeferredCall::end() {
  const bool failed = invocation_->state() == State::Failed;
  if (!failed) return invocation_.reset();
  const std::unique_ptr<CORBA::Exception> exception(invocation_->exception()._duplicate());
  invocation_.reset();
  exception->_raise();
}

}  // namespace callis::orb
