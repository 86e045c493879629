// SPDX-License-Identifier: Apache-2.0
// Calls without a stub, with values of types that are made at run time.
#include <callis/corba.h>
#include <callis/dynamic.h>
#include <callis/dynamic_any.h>
#include <iostream>

using namespace DynamicAny;

static void call(CORBA::Object_ptr object, const char* operation, const CORBA::Any& value) {
  CORBA::Request_var request = object->_request(operation);
  request->add_in_arg("value") <<= value;
  request->set_return_type(CORBA::_tc_string);
  request->invoke();
  if (request->env()->exception()) {
    std::cout << operation << ": " << request->env()->exception()->_name() << std::endl;
    return;
  }
  const char* text = nullptr;
  request->return_value() >>= text;
  std::cout << text << std::endl;
}

static void set_point(DynAny_ptr point, CORBA::Long x, const char* label) {
  point->rewind();
  point->insert_long(x);
  point->next();
  point->insert_string(label);
}

int main(int argc, char** argv) {
  try {
    CORBA::ORB_var orb = CORBA::ORB_init(argc, argv);
    if (argc != 2) {
      std::cerr << "usage: dynamic_client REFERENCE" << std::endl;
      return 2;
    }
    CORBA::Object_var object = orb->string_to_object(argv[1]);
    CORBA::Object_var initial = orb->resolve_initial_references("DynAnyFactory");
    DynAnyFactory_var factory = DynAnyFactory::_narrow(initial);

    CORBA::Any number;
    number <<= CORBA::Long(42);
    call(object, "describe", number);

    // struct Point { long x; string label; }; typedef sequence<Point> Points;
    CORBA::StructMemberSeq members(2);
    members.length(2);
    members[0].name = CORBA::string_dup("x");
    members[0].type = CORBA::TypeCode::_duplicate(CORBA::_tc_long);
    members[1].name = CORBA::string_dup("label");
    members[1].type = CORBA::TypeCode::_duplicate(CORBA::_tc_string);
    CORBA::TypeCode_var point_type = orb->create_struct_tc("IDL:Point:1.0", "Point", members);
    CORBA::TypeCode_var points_type = orb->create_sequence_tc(0, point_type);

    DynAny_var point = factory->create_dyn_any_from_type_code(point_type);
    set_point(point, 1, "one");
    CORBA::Any_var value = point->to_any();
    call(object, "describe", value.in());
    point->destroy();

    DynAny_var list = factory->create_dyn_any_from_type_code(points_type);
    DynSequence_var points = DynSequence::_narrow(list);
    points->set_length(2);
    points->seek(0);
    DynAny_var first = points->current_component();
    set_point(first, 1, "one");
    points->next();
    DynAny_var second = points->current_component();
    set_point(second, 2, "two");
    value = points->to_any();
    call(object, "describe", value.in());
    points->destroy();

    call(object, "lift", number);
    orb->destroy();
  } catch (const CORBA::Exception& e) {
    std::cerr << e << std::endl;
    return 1;
  }
}
