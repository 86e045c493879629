// SPDX-License-Identifier: Apache-2.0
// The members of RequestInfo, and the points at which each is valid.
#include <callis/interceptors/request_info.h>
#include <callis/orb/base/errors.h>

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

const OperationTypes& CommonInfo::types() const {
  if (const marshal::OperationPlans* const known = plans()) return OperationTypes::of(*known);
  const orb::DynamicOperation* const operation = dynamic();
  if (!operation) not_available();
  of_dynamic_ = std::make_unique<const OperationTypes>(*operation);
  return *of_dynamic_;
}

Dynamic::ParameterList* CommonInfo::arguments() {
  check(validity_.parameters);
  const OperationTypes& operation = types();
  auto list = std::make_unique<Dynamic::ParameterList>();
  list->length(static_cast<CORBA::ULong>(operation.parameters().size()));
  for (CORBA::ULong i = 0; i < list->length(); ++i)
    (*list)[i].mode = static_cast<CORBA::ParameterMode>(operation.parameters()[i].direction);
  Encoded made(core_);
  BodyReader(arguments_at(made), step_of_arguments()).arguments(operation, *list);
  if (point_ & validity_.result) {
    Encoded results(core_);
    BodyReader(results_at(results), step_of_results()).results(operation, *list);
  }
  return list.release();
}

Dynamic::ExceptionList* CommonInfo::exceptions() {
  check(validity_.declarations);
  const auto& raised = types().exceptions();
  auto list = std::make_unique<Dynamic::ExceptionList>();
  list->length(static_cast<CORBA::ULong>(raised.size()));
  for (CORBA::ULong i = 0; i < list->length(); ++i) (*list)[i] = CORBA::TypeCode::_duplicate(raised[i].in());
  return list.release();
}

Dynamic::ContextList* CommonInfo::contexts() {
  check(validity_.declarations);
  const auto& patterns = types().patterns();
  auto list = std::make_unique<Dynamic::ContextList>();
  list->length(static_cast<CORBA::ULong>(patterns.size()));
  for (CORBA::ULong i = 0; i < list->length(); ++i) (*list)[i] = patterns[i].c_str();
  return list.release();
}

Dynamic::RequestContext* CommonInfo::operation_context() {
  check(validity_.operation_context);
  const OperationTypes& operation = types();
  auto list = std::make_unique<Dynamic::RequestContext>();
  if (!operation.has_context()) return list.release();
  Encoded made(core_);
  BodyReader(arguments_at(made), step_of_arguments()).context(operation, *list);
  return list.release();
}

CORBA::Any* CommonInfo::result() {
  check(validity_.result);
  const OperationTypes& operation = types();
  auto any = std::make_unique<CORBA::Any>();
  Encoded made(core_);
  BodyReader(results_at(made), step_of_results()).result(operation, *any);
  return any.release();
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
