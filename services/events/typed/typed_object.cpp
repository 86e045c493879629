// SPDX-License-Identifier: Apache-2.0
#include <callis/dynamic_any.h>
#include <callis/orb/base/errors.h>
#include <services/common/rules.h>
#include <services/events/typed/typed_object.h>

namespace callis::events {

namespace {

// Values of their types for arguments that nobody has set: zeros, empty strings, nil references.
void set_defaults(CORBA::ORB_ptr orb, CORBA::NVList_ptr arguments) {
  const CORBA::Object_var object = orb->resolve_initial_references("DynAnyFactory");
  const DynamicAny::DynAnyFactory_var factory = DynamicAny::DynAnyFactory::_narrow(object.in());
  for (CORBA::ULong i = 0; i < arguments->count(); ++i) {
    CORBA::Any& argument = *arguments->item(i)->value();
    try {
      const DynamicAny::DynAny_var made =
          factory->create_dyn_any_from_type_code(CORBA::TypeCode_var(argument.type()).in());
      const CORBA::Any_var value = made->to_any();
      argument = value.in();
      made->destroy();
    } catch (const DynamicAny::DynAnyFactory::InconsistentTypeCode&) {
      throw CORBA::NO_IMPLEMENT(0, CORBA::COMPLETED_NO, "there is no event, and a parameter's type has no zero");
    }
  }
}

}  // namespace

void TypedObject::end() {
  Serve gone;  // let go without the lock
  const std::lock_guard lock(mutex_);
  gone.swap(serve_);
}

void TypedObject::invoke(CORBA::ServerRequest_ptr request) {
  const std::string_view name = request->operation();
  // As push(): which operations there are the tables of programs do not know.
  if (model_ == TypedInterface::Model::Push) services::Rules::require(services::Group::Write, name);
  const bool tries = model_ == TypedInterface::Model::Pull && name.starts_with("try_pull_");
  const TypedOperation* operation = nullptr;
  if (model_ == TypedInterface::Model::Push) operation = interface_->find(name);
  else if (tries) operation = interface_->find(name.substr(sizeof("try_pull_") - 1));
  else if (name.starts_with("pull_")) operation = interface_->find(name.substr(sizeof("pull_") - 1));
  const bool pull = model_ == TypedInterface::Model::Pull;
  if (!operation || (pull && !(tries ? operation->tries : operation->pulls)))
    orb::raise<CORBA::BAD_OPERATION>(orb::omg(2), CORBA::COMPLETED_NO, "the object has no such operation");
  Serve serve;
  {
    const std::lock_guard lock(mutex_);
    serve = serve_;
  }
  if (!serve) throw CORBA::OBJECT_NOT_EXIST(0, CORBA::COMPLETED_NO, "the proxy was disconnected");
  CORBA::NVList_ptr arguments = nullptr;
  orb_->create_list(0, arguments);
  const CORBA::NVList_var held = CORBA::NVList::_duplicate(arguments);
  const CORBA::Flags direction = pull ? CORBA::ARG_OUT : CORBA::ARG_IN;
  for (const TypedOperation::Parameter& p : operation->parameters)
    arguments->add_item(p.name.c_str(), direction)->value()->replace(p.type.in(), nullptr);
  request->arguments(arguments);
  const bool has = serve(*operation, held.in(), tries);
  if (!tries) return;
  if (!has) set_defaults(orb_, held.in());
  CORBA::Any result;
  result <<= CORBA::Any::from_boolean(has);
  request->set_result(result);
}

CORBA::RepositoryId TypedObject::_primary_interface(const PortableServer::ObjectId&, PortableServer::POA_ptr) {
  return CORBA::string_dup(interface_->id().c_str());
}

}  // namespace callis::events
