// SPDX-License-Identifier: Apache-2.0
// An object without a skeleton that says what values look like.
#include <callis/corba.h>
#include <callis/dynamic.h>
#include <callis/dynamic_any.h>
#include <callis/portable_server.h>
#include <callis/signals.h>
#include <cstring>
#include <iostream>
#include <sstream>
#include <string>

using namespace DynamicAny;

// The components of a struct, sequence or array.
static std::string describe(DynAny_ptr value);

static std::string describe_components(DynAny_ptr value, DynStruct_ptr names) {
  std::string text;
  bool more = value->component_count() != 0;
  for (value->rewind(); more; more = value->next()) {
    if (!text.empty()) text += ", ";
    if (!CORBA::is_nil(names)) {
      CORBA::String_var name = names->current_member_name();
      text += std::string(name.in()) + " = ";
    }
    DynAny_var component = value->current_component();
    text += describe(component);
  }
  return text;
}

static std::string describe(DynAny_ptr value) {
  DynStruct_var a_struct = DynStruct::_narrow(value);
  if (!CORBA::is_nil(a_struct)) return "{" + describe_components(value, a_struct) + "}";
  DynSequence_var a_sequence = DynSequence::_narrow(value);
  if (!CORBA::is_nil(a_sequence)) return "[" + describe_components(value, DynStruct::_nil()) + "]";
  CORBA::TypeCode_var type = value->type();
  std::ostringstream text;
  switch (type->kind()) {
    case CORBA::tk_long: text << value->get_long(); break;
    case CORBA::tk_double: text << value->get_double(); break;
    case CORBA::tk_string: {
      CORBA::String_var s = value->get_string();
      text << '"' << s.in() << '"';
      break;
    }
    default: text << "something else";
  }
  return text.str();
}

class Describer : public PortableServer::DynamicImplementation {
 public:
  Describer(CORBA::ORB_ptr orb, DynAnyFactory_ptr factory)
      : orb_(CORBA::ORB::_duplicate(orb)), factory_(DynAnyFactory::_duplicate(factory)) {}

  void invoke(CORBA::ServerRequest_ptr request) override {
    if (std::strcmp(request->operation(), "describe") != 0) {
      CORBA::Any refusal;
      refusal <<= CORBA::BAD_OPERATION(0, CORBA::COMPLETED_NO);
      request->set_exception(refusal);
      return;
    }
    CORBA::NVList_ptr arguments;
    orb_->create_list(1, arguments);
    CORBA::Any of_any;
    of_any <<= CORBA::Any();
    arguments->add_value("value", of_any, CORBA::ARG_IN);
    request->arguments(arguments);  // takes the list over
    const CORBA::Any* value = nullptr;
    *arguments->item(0)->value() >>= value;
    DynAny_var dynamic = factory_->create_dyn_any(*value);
    CORBA::Any result;
    result <<= describe(dynamic).c_str();
    dynamic->destroy();
    request->set_result(result);
  }

  CORBA::RepositoryId _primary_interface(const PortableServer::ObjectId&, PortableServer::POA_ptr) override {
    return CORBA::string_dup("IDL:Describer:1.0");
  }

 private:
  CORBA::ORB_var orb_;
  DynAnyFactory_var factory_;
};

int main(int argc, char** argv) {
  try {
    CORBA::ORB_var orb = CORBA::ORB_init(argc, argv);
    callis::shutdown_on_signals(orb);
    CORBA::Object_var object = orb->resolve_initial_references("RootPOA");
    PortableServer::POA_var poa = PortableServer::POA::_narrow(object);
    object = orb->resolve_initial_references("DynAnyFactory");
    DynAnyFactory_var factory = DynAnyFactory::_narrow(object);

    PortableServer::ServantBase_var servant = new Describer(orb, factory);
    PortableServer::ObjectId_var id = poa->activate_object(servant);
    object = poa->id_to_reference(id);
    PortableServer::POAManager_var manager = poa->the_POAManager();
    manager->activate();
    CORBA::String_var text = orb->object_to_string(object);
    std::cout << text << std::endl;
    orb->run();
    orb->destroy();
  } catch (const CORBA::Exception& e) {
    std::cerr << e << std::endl;
    return 1;
  }
}
