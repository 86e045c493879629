// SPDX-License-Identifier: Apache-2.0
#include <callis/interceptors/request_info.h>
#include <callis/orb/errors.h>

namespace callis::interceptors {

void CommonInfo::check(Points valid) const {
  if ((valid & point_) == 0)
    orb::raise<CORBA::BAD_INV_ORDER>(orb::omg(14), CORBA::COMPLETED_NO, "not valid at this interception point");
}

void CommonInfo::not_available() {
  orb::raise<CORBA::NO_RESOURCES>(orb::omg(1), CORBA::COMPLETED_NO, "stubs and skeletons do not tell");
}

CORBA::ULong CommonInfo::request_id() {
  check(kEverywhere);
  return id_;
}

char* CommonInfo::operation() {
  check(kEverywhere);
  return CORBA::string_dup(operation_.c_str());
}

Dynamic::ParameterList* CommonInfo::arguments() {
  check(validity_.parameters);
  not_available();
}

Dynamic::ExceptionList* CommonInfo::exceptions() {
  check(validity_.declarations);
  not_available();
}

Dynamic::ContextList* CommonInfo::contexts() {
  check(validity_.declarations);
  not_available();
}

Dynamic::RequestContext* CommonInfo::operation_context() {
  check(validity_.operation_context);
  not_available();
}

CORBA::Any* CommonInfo::result() {
  check(validity_.result);
  not_available();
}

CORBA::Boolean CommonInfo::response_expected() {
  check(kEverywhere);
  return response_expected_;
}

Messaging::SyncScope CommonInfo::sync_scope() {
  check(validity_.sync_scope);
  return static_cast<Messaging::SyncScope>(sync_scope_);
}

PortableInterceptor::ReplyStatus CommonInfo::reply_status() {
  check(validity_.ended);
  return status_;
}

CORBA::Object_ptr CommonInfo::forward_reference() {
  check(status_ == PortableInterceptor::LOCATION_FORWARD ? validity_.other : kNowhere);
  return CORBA::Object::_duplicate(forward_.in());
}

CORBA::Any* CommonInfo::get_slot(PortableInterceptor::SlotId id) {
  check(kEverywhere);
  return interceptors::get_slot(slots_, space_.count(), id);
}

IOP::ServiceContext* CommonInfo::get_request_service_context(IOP::ServiceId id) {
  check(validity_.request_context);
  return request_contexts_.get(id);
}

IOP::ServiceContext* CommonInfo::get_reply_service_context(IOP::ServiceId id) {
  check(validity_.ended);
  return reply_contexts_.get(id);
}

}  // namespace callis::interceptors
