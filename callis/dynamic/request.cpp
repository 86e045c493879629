// SPDX-License-Identifier: Apache-2.0
// CORBA::Request, and how an Object makes one.
#include <callis/dynamic/call.h>
#include <callis/orb/base/errors.h>
#include <callis/orb/core/object_of.h>
#include <utility>

namespace CORBA::inline callis_orb {

using callis::Deadline;
using callis::dynamic::Call;
using callis::dynamic::DeferredRequests;
using callis::orb::omg;
using callis::orb::raise;

Request::Request(Object_ptr target, const char* operation, NVList_ptr arguments, NamedValue_ptr result,
                 ExceptionList_ptr exceptions, ContextList_ptr contexts, Context_ptr context)
    : target_(Object::_duplicate(target)),
      operation_(string_dup(operation)),
      arguments_(arguments ? NVList::_duplicate(arguments) : new NVList),
      result_(NamedValue::_duplicate(result)),
      exceptions_(ExceptionList::_duplicate(exceptions)),
      contexts_(ContextList::_duplicate(contexts)),
      context_(Context::_duplicate(context)) {
  if (!result) ORB_var(target->_get_orb())->create_named_value(result_.out());
}

Environment_ptr Request::env() {
  if (!environment_.in()) environment_ = new Environment;
  return environment_.in();
}

ExceptionList_ptr Request::exceptions() {
  if (!exceptions_.in()) exceptions_ = new ExceptionList;
  return exceptions_.in();
}

ContextList_ptr Request::contexts() {
  if (!contexts_.in()) contexts_ = new ContextList;
  return contexts_.in();
}

Request::~Request() = default;

Any& Request::add(const char* name, Flags flags) {
  return *(name ? arguments_->add_item(name, flags) : arguments_->add(flags))->value();
}

void Request::ctx(Context_ptr context) { context_ = Context::_duplicate(context); }

void Request::set_return_type(TypeCode_ptr type) {
  if (!type) raise<BAD_PARAM>(omg(13), COMPLETED_NO, "a nil TypeCode");
  Any& value = *result_->value();
  if (type->kind() == tk_null || type->kind() == tk_void) value = Any();
  else value.replace(type, nullptr);
}

namespace {

[[noreturn]] void out_of_order(ULong minor, const char* what) {
  raise<BAD_INV_ORDER>(omg(minor), COMPLETED_NO, what);
}

}  // namespace

void Request::invoke() {
  if (call_) out_of_order(5, "the request has been made");
  Call::begin(*this, Call::How::Synchronous).run();
}

void Request::send_oneway() {
  if (call_) out_of_order(5, "the request has been made");
  Call::begin(*this, Call::How::Oneway).run();
}

void Request::send_deferred() {
  if (call_) out_of_order(10, "the request has been sent");
  Call& call = Call::begin(*this, Call::How::Deferred);
  call.send();
  DeferredRequests::add(call.orb(), *this, call.place);
}

namespace {

Call& deferred(const std::unique_ptr<Call>& call) {
  if (!call) out_of_order(11, "the request has not been sent");
  if (call->how() != Call::How::Deferred) out_of_order(13, "the request was not sent by send_deferred()");
  return *call;
}

}  // namespace

void Request::get_response() {
  Call& call = deferred(call_);
  const std::lock_guard lock(call.mutex);
  if (call.fetched()) out_of_order(12, "the response has been fetched");
  (void)call.go_on(Deadline());
  call.set_fetched();
  DeferredRequests::remove(call.place);
}

Boolean Request::poll_response() {
  Call& call = deferred(call_);
  const std::unique_lock lock(call.mutex, std::try_to_lock);
  if (!lock) return false;
  if (call.fetched()) out_of_order(12, "the response has been fetched");
  return call.go_on(Deadline::at({}));
}

namespace {

void check_target(Object_ptr target, const char* operation) {
  (void)callis::orb::reference_of(target);
  if (!operation || !*operation) raise<BAD_PARAM>(0, COMPLETED_NO, "an operation without a name");
}

}  // namespace

Request_ptr Object::_request(const char* operation) {
  check_target(this, operation);
  return new Request(this, operation, nullptr, nullptr, nullptr, nullptr, nullptr);
}

void Object::_create_request(Context* context, const char* operation, NVList* arguments, NamedValue* result,
                             Request_out request, ULong req_flags) {
  _create_request(context, operation, arguments, result, nullptr, nullptr, request, req_flags);
}

void Object::_create_request(Context* context, const char* operation, NVList* arguments, NamedValue* result,
                             ExceptionList* exceptions, ContextList* contexts, Request_out request, ULong) {
  check_target(this, operation);
  request = new Request(this, operation, arguments, result, exceptions, contexts, context);
}

}  // namespace CORBA::inline callis_orb
