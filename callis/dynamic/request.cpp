// SPDX-License-Identifier: Apache-2.0
// CORBA::Request, and how an Object makes one.
#include <callis/dynamic/call.h>
#include <callis/dynamic/values.h>
#include <callis/orb/base/errors.h>
#include <callis/orb/core/core.h>
#include <callis/orb/core/object_of.h>

namespace CORBA::inline callis_orb {

using callis::Deadline;
using callis::dynamic::Call;
using callis::dynamic::DeferredCall;
using callis::dynamic::DeferredRequests;
using callis::dynamic::OperationName;
using callis::orb::Block;
using callis::orb::omg;
using callis::orb::raise;

// How a request lies in its block. Behind it there is room for a list, unless one is given.
struct Request::Places {
  alignas(Request) std::byte request[sizeof(Request)];
  alignas(NamedValue) std::byte result[sizeof(NamedValue)];
  alignas(Environment) std::byte environment[sizeof(Environment)];
};

struct Request::Given {
  Object_ptr target;
  const char* operation;
  NVList_ptr arguments;
  NamedValue_ptr result;
  ExceptionList_ptr exceptions;
  ContextList_ptr contexts;
  Context_ptr context;
};

Request* Request::make(const Given& given) {
  callis::orb::Reference& target = callis::orb::reference_of(given.target);
  if (!given.operation || !*given.operation) raise<BAD_PARAM>(0, COMPLETED_NO, "an operation without a name");
  if (!given.result) static_cast<const ORB&>(callis::orb::Core::of(target.orb())).check_usable();
  const OperationName* const name = OperationName::find(given.operation);
  String_var own_name;
  if (!name) own_name = given.operation;
  Block& block = Block::make(sizeof(Places) + (given.arguments ? 0 : NVList::bytes()));
  return ::new (block.memory()) Request(block, given, name, name ? name->text.c_str() : own_name._retn());
}

Request::Request(Block& block, const Given& given, const OperationName* name, const char* operation) noexcept
    : block_(block),
      name_(name),
      operation_(operation),
      target_(Object::_duplicate(given.target)),
      arguments_(NVList::_duplicate(given.arguments)),
      result_(NamedValue::_duplicate(given.result)),
      exceptions_(ExceptionList::_duplicate(given.exceptions)),
      contexts_(ContextList::_duplicate(given.contexts)),
      context_(Context::_duplicate(given.context)) {
  auto* const places = static_cast<Places*>(block.memory());
  if (!given.arguments) {
    block.enter();
    arguments_ = ::new (places + 1) NVList(block);
  }
  if (!given.result) {
    block.enter();
    result_ = ::new (places->result) NamedValue(0, &block);
  }
}

Request::~Request() {
  call_.reset();  // has views of the name
  if (!name_) string_free(const_cast<char*>(operation_));
}

void Request::callis_end(Request* ended) noexcept {
  Block& block = ended->block_;
  ended->~Request();
  block.leave();
}

void Environment::callis_end(Environment* ended) noexcept {
  Block* const block = ended->block_;
  if (!block) return delete ended;
  ended->~Environment();
  block->leave();
}

Environment_ptr Request::env() {
  if (!environment_.in()) {
    block_.enter();
    environment_ = ::new (static_cast<Places*>(block_.memory())->environment) Environment(&block_);
  }
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

Any& Request::add(const char* name, Flags flags) {
  return *(name ? arguments_->add_item(name, flags) : arguments_->add(flags))->value();
}

void Request::ctx(Context_ptr context) { context_ = Context::_duplicate(context); }

void Request::set_return_type(TypeCode_ptr type) {
  if (!type) raise<BAD_PARAM>(omg(13), COMPLETED_NO, "a nil TypeCode");
  Any& value = *result_->value();
  if (callis::dynamic::is_void(*type)) value = Any();
  else value.replace(type, nullptr);
}

namespace {

[[noreturn]] void out_of_order(ULong minor, const char* what) {
  raise<BAD_INV_ORDER>(omg(minor), COMPLETED_NO, what);
}

}  // namespace

// For the Call that has been made of it.
void Request::begin() noexcept {
  begun_ = true;
  if (environment_.in()) environment_->clear();
}

void Request::invoke() {
  if (begun_) out_of_order(5, "the request has been made");
  Call call(*this, false);
  begin();
  call.run();
}

void Request::send_oneway() {
  if (begun_) out_of_order(5, "the request has been made");
  Call call(*this, true);
  begin();
  call.run();
}

void Request::send_deferred() {
  if (begun_) out_of_order(10, "the request has been sent");
  call_ = std::make_unique<DeferredCall>(*this);
  begin();
  call_->send();
  DeferredRequests::add(call_->orb(), *this, call_->place);
}

// The call of send_deferred().
DeferredCall& Request::deferred() {
  if (!begun_) out_of_order(11, "the request has not been sent");
  if (!call_) out_of_order(13, "the request was not sent by send_deferred()");
  return *call_;
}

void Request::get_response() {
  DeferredCall& call = deferred();
  const std::lock_guard lock(call.mutex);
  if (call.fetched()) out_of_order(12, "the response has been fetched");
  (void)call.go_on(Deadline());
  call.set_fetched();
  DeferredRequests::remove(call.place);
}

Boolean Request::poll_response() {
  DeferredCall& call = deferred();
  const std::unique_lock lock(call.mutex, std::try_to_lock);
  if (!lock) return false;
  if (call.fetched()) out_of_order(12, "the response has been fetched");
  return call.go_on(Deadline::at({}));
}

Request_ptr Object::_request(const char* operation) {
  return Request::make({this, operation, nullptr, nullptr, nullptr, nullptr, nullptr});
}

void Object::_create_request(Context* context, const char* operation, NVList* arguments, NamedValue* result,
                             Request_out request, ULong req_flags) {
  _create_request(context, operation, arguments, result, nullptr, nullptr, request, req_flags);
}

void Object::_create_request(Context* context, const char* operation, NVList* arguments, NamedValue* result,
                             ExceptionList* exceptions, ContextList* contexts, Request_out request, ULong) {
  request = Request::make({this, operation, arguments, result, exceptions, contexts, context});
}

}  // namespace CORBA::inline callis_orb
