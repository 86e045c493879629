// SPDX-License-Identifier: Apache-2.0
// One request on its way through: its arguments are decoded by the types of the operation, their references replaced,
// and a request of the same name is made to the target. The list of arguments is the same in both.
#include <callis/messaging/bound_object.h>
#include <callis/orb/base/errors.h>
#include <callis/orb/core/interface_def.h>
#include <callis/poa/servant/administrative.h>
#include <tools/bridge/forwarder.h>
#include <tools/bridge/translation.h>

namespace callis::tools {

namespace {

// The target has done its work: what goes wrong from now on did not keep it from that.
template<class Step>
void after_the_call(Step step) {
  try {
    step();
  } catch (CORBA::SystemException& e) {
    e.completed(CORBA::COMPLETED_YES);
    throw;
  }
}

}  // namespace

std::shared_ptr<const KnownOperation> Forwarder::known_operation(const std::string& operation) {
  Signatures& known = bridge_.signatures_;
  const auto ask = [this](const char* id) { return target_->_is_a(id) != 0; };
  const idl::ast::Interface* interface = interface_.load();
  if (!interface) interface = bridge_.interface_of(target_.in());
  if (!interface) interface = known.search({}, ask);
  if (!interface) {
    orb::raise<CORBA::INTF_REPOS>(orb::omg(2), CORBA::COMPLETED_NO,
                                  "the bridge does not know the types of this object");
  }
  interface_ = interface;
  if (auto found = known.find(*interface, operation)) return found;
  // The reference may say a base of what the object is.
  if (const idl::ast::Interface* derived = known.search(operation, ask)) {
    interface_ = derived;
    return known.find(*derived, operation);
  }
  orb::raise<CORBA::BAD_OPERATION>(orb::omg(2), CORBA::COMPLETED_NO, "the object has no such operation");
}

CORBA::Object_var Forwarder::callee() {
  if (named_) return target_;
  const idl::ast::Interface* const as = interface_.load();
  if (!bridge_.may_call(as->repository_id))
    throw CORBA::NO_PERMISSION(0, CORBA::COMPLETED_NO,
                               "--only-interface does not name " + as->repository_id + ", the object's interface");
  {
    const std::lock_guard lock(mutex_);
    if (bound_as_ == as) return bound_;
  }
  CORBA::Object_var bound =
      messaging::bound_object(target_.in(), as->repository_id.c_str(), poa::kAdministrativeId);
  if (CORBA::is_nil(bound.in()))
    throw CORBA::NO_PERMISSION(0, CORBA::COMPLETED_NO,
                               "the object says that it is no " + as->repository_id +
                                   ", or is administrative: the bridge calls it only where its operator names it");
  const std::lock_guard lock(mutex_);
  bound_ = bound;
  bound_as_ = as;
  return bound;
}

void Forwarder::invoke(CORBA::ServerRequest_ptr request) {
  bridge_.used(id_);
  const std::shared_ptr<const KnownOperation> operation = known_operation(request->operation());
  const CORBA::Object_var target = callee();
  const Signature& signature = operation->signature;
  CORBA::NVList_ptr arguments = nullptr;
  bridge_.orb_->create_list(0, arguments);
  const CORBA::NVList_var held = CORBA::NVList::_duplicate(arguments);
  for (const Signature::Parameter& p : signature.parameters)
    arguments->add_item(p.name.c_str(), p.flags)->value()->replace(p.type.in(), nullptr);
  request->arguments(arguments);
  CORBA::Context_var context;
  if (!signature.contexts.empty()) context = request->ctx();

  Translation translation(bridge_.factory_.in(), [this](CORBA::Object_ptr o) { return bridge_.across(o); });
  for (CORBA::ULong i = 0; i < held->count(); ++i)
    if (signature.parameters[i].flags != CORBA::ARG_OUT && operation->translated[i])
      translation.translate(*held->item(i)->value());

  CORBA::Request_var call;
  target->_create_request(context.in(), signature.operation.c_str(), held.in(), nullptr, call.out(), 0);
  call->set_return_type(signature.result.in());
  for (const CORBA::TypeCode_var& e : signature.exceptions) call->exceptions()->add(e.in());
  for (const std::string& pattern : signature.contexts) call->contexts()->add(pattern.c_str());
  if (signature.oneway)
    call->send_oneway();
  else
    call->invoke();
  answer(request, call.in(), *operation, translation);
}

void Forwarder::answer(CORBA::ServerRequest_ptr request, CORBA::Request_ptr call, const KnownOperation& operation,
                       Translation& translation) {
  if (CORBA::Exception* const e = call->env()->exception()) {
    CORBA::UnknownUserException* const user = CORBA::UnknownUserException::_downcast(e);
    if (!user) e->_raise();
    after_the_call([&] {
      translation.translate(user->exception());
      request->set_exception(user->exception());
    });
    return;
  }
  const Signature& signature = operation.signature;
  if (signature.oneway) return;
  after_the_call([&] {
    for (CORBA::ULong i = 0; i < call->arguments()->count(); ++i)
      if (signature.parameters[i].flags != CORBA::ARG_IN && operation.translated[i])
        translation.translate(*call->arguments()->item(i)->value());
    if (operation.translated_result) translation.translate(call->return_value());
    if (signature.result->kind() != CORBA::tk_void) request->set_result(call->return_value());
  });
}

CORBA::RepositoryId Forwarder::_primary_interface(const PortableServer::ObjectId&, PortableServer::POA_ptr) {
  const idl::ast::Interface* const known = interface_.load();
  return CORBA::string_dup(known ? known->repository_id.c_str() : target_->_interface_repository_id());
}

CORBA::Boolean Forwarder::_is_a(const char* id) {
  bridge_.used(id_);
  return id && target_->_is_a(id);
}

CORBA::Boolean Forwarder::_non_existent() { return target_->_non_existent(); }

CORBA::InterfaceDef_ptr Forwarder::_get_interface() {
  const CORBA::Request_var call = target_->_request("_interface");
  call->set_return_type(CORBA::_tc_Object);
  call->invoke();
  if (CORBA::Exception* const e = call->env()->exception()) e->_raise();
  CORBA::Object_var found;
  call->return_value() >>= CORBA::Any::to_object(found.out());
  return CORBA::InterfaceDef::_unchecked_narrow(found.in());
}

}  // namespace callis::tools
