// SPDX-License-Identifier: Apache-2.0
#include <callis/interceptors/exceptions.h>
#include <callis/interceptors/flow.h>

namespace callis::interceptors {

namespace PI = PortableInterceptor;

void Flow::finish() {
  while (started_ != 0) tell(--started_);
  info_.set_point(CommonInfo::kNowhere);
}

void Flow::tell(std::size_t i) {
  const CORBA::CompletionStatus completed = completion();
  const bool replied = end_ == End::Reply;
  PI::ReplyStatus status = other_;
  if (replied) status = PI::SUCCESSFUL;
  else if (end_ == End::Exception)
    status = CORBA::SystemException::_downcast(exception_.get()) ? PI::SYSTEM_EXCEPTION : PI::USER_EXCEPTION;
  info_.set_end(status, exception_.get(), forward_.in());
  try {
    call_ending_point(i, end_);
  } catch (...) {
    end_by_interceptor(completed, !replied);
  }
}

// Returns the completion status for an interceptor's exception at this point (21.3.5, 21.3.9). A oneway may have been
// executed.
CORBA::CompletionStatus Flow::completion() const {
  if (end_ == End::Other) return other_ == PI::SUCCESSFUL ? CORBA::COMPLETED_MAYBE : CORBA::COMPLETED_NO;
  const auto* const system = end_ == End::Exception ? CORBA::SystemException::_downcast(exception_.get()) : nullptr;
  return system ? system->completed() : CORBA::COMPLETED_YES;
}

void Flow::end_by_interceptor(CORBA::CompletionStatus completed, bool may_forward) {
  try {
    try {
      throw;
    } catch (const PI::ForwardRequest& f) {
      if (!may_forward) throw;
      orb::Reference& to = forward_of(f);
      set_other(PI::LOCATION_FORWARD, f.forward.in());
      elsewhere_ = orb::ReferencePtr(&to);
    }
  } catch (...) {
    fail(caught_of_interceptor(completed));
  }
}

void Flow::fail(std::unique_ptr<CORBA::Exception> e) {
  exception_ = std::move(e);
  end_ = End::Exception;
  elsewhere_ = {};
}

void Flow::set_other(PI::ReplyStatus status, CORBA::Object_ptr forward) {
  exception_.reset();
  end_ = End::Other;
  other_ = status;
  forward_ = CORBA::Object::_duplicate(forward);
}

}  // namespace callis::interceptors
