// SPDX-License-Identifier: Apache-2.0
// A client of a property service, with callis or omniORB:
//
//   client FACTORY [ORB options]
//
// Makes sets by the OMG's factories, uses each operation, and prints what came of it.
#ifdef INTEROP_OMNIORB
#include <CosPropertyService.hh>
#else
#include <callis/corba.h>
#include "CosPropertyService.h"
#endif
#include <cstdio>
#include <string>

namespace {

namespace cos = CosPropertyService;

const char* const kReasons[] = {"invalid_property_name", "conflicting_property", "property_not_found",
                                "unsupported_type_code", "unsupported_property", "unsupported_mode",
                                "fixed_property", "read_only_property"};

void say(const std::string& what, const std::string& came) { std::printf("%s: %s\n", what.c_str(), came.c_str()); }

CORBA::Any any(CORBA::Long n) {
  CORBA::Any out;
  out <<= n;
  return out;
}

CORBA::Any any(const char* text) {
  CORBA::Any out;
  out <<= text;
  return out;
}

std::string text_of(const CORBA::Any& value) {
  CORBA::Long n = 0;
  const char* text = nullptr;
  if (value >>= n) return std::to_string(n);
  if (value >>= text) return text;
  const CORBA::TypeCode_var type = value.type();
  return type->kind() == CORBA::tk_void ? "void" : "another type";
}

// What the call ends with.
template <class Call>
std::string end_of(Call call) {
  try {
    call();
    return "done";
  } catch (const cos::MultipleExceptions& e) {
    std::string out = "MultipleExceptions";
    for (CORBA::ULong i = 0; i < e.exceptions.length(); ++i)
      out += std::string(i == 0 ? " " : ", ") + "'" + std::string(e.exceptions[i].failing_property_name) + "' " +
             kReasons[e.exceptions[i].reason];
    return out;
  } catch (const CORBA::UserException& e) {
    return e._name();
  }
}

void add(cos::PropertyDefs& to, const char* name, const CORBA::Any& value, cos::PropertyModeType mode) {
  const CORBA::ULong n = to.length();
  to.length(n + 1);
  to[n].property_name = name;
  to[n].property_value = value;
  to[n].property_mode = mode;
}

void use_set(cos::PropertySetDef_ptr set) {
  say("define", end_of([&] { set->define_property("width", any(3)); }));
  say("another type", end_of([&] { set->define_property("width", any("wide")); }));
  say("no name", end_of([&] { set->define_property("", any(1)); }));
  cos::PropertyDefs defs;
  add(defs, "fixed", any("stone"), cos::fixed_readonly);
  add(defs, "", any(1), cos::normal);
  add(defs, "width", any("wide"), cos::normal);
  add(defs, "height", any(4), cos::undefined);
  add(defs, "depth", any(5), cos::read_only);
  say("several", end_of([&] { set->define_properties_with_modes(defs); }));
  say("change what is read-only", end_of([&] { set->define_property("depth", any(6)); }));
  say("delete what is fixed", end_of([&] { set->delete_property("fixed"); }));
  say("number", std::to_string(set->get_number_of_properties()));

  cos::PropertyNames names;
  names.length(2);
  names[0] = "depth";
  names[1] = "nobody";
  cos::Properties_var values;
  const bool all = set->get_properties(names, values.out());
  say("get some", std::string(all ? "all" : "not all") + " " + text_of(values[0].property_value) + " " +
                      text_of(values[1].property_value));
  cos::PropertyModes_var modes;
  set->get_property_modes(names, modes.out());
  say("modes", std::to_string(static_cast<int>(modes[0].property_mode)) + " " +
                   std::to_string(static_cast<int>(modes[1].property_mode)));

  cos::PropertiesIterator_var rest;
  set->get_all_properties(1, values.out(), rest.out());
  std::string listed = std::string(values[0].property_name) + "=" + text_of(values[0].property_value);
  cos::Property_var one;
  while (rest->next_one(one.out()))
    listed += " " + std::string(one->property_name) + "=" + text_of(one->property_value);
  rest->destroy();
  say("all", listed);
  const bool empty = set->delete_all_properties();
  say("delete all", empty ? "empty" : std::to_string(set->get_number_of_properties()) + " left");
}

void run(CORBA::ORB_ptr orb, const char* reference) {
  const CORBA::Object_var object = orb->string_to_object(reference);
  const cos::PropertySetDefFactory_var defs = cos::PropertySetDefFactory::_narrow(object.in());
  const cos::PropertySetFactory_var sets = cos::PropertySetFactory::_narrow(object.in());
  use_set(cos::PropertySetDef_var(defs->create_propertysetdef()).in());

  cos::PropertyTypes types;
  types.length(1);
  types[0] = CORBA::TypeCode::_duplicate(CORBA::_tc_long);
  const cos::PropertySet_var only_longs = sets->create_constrained_propertyset(types, cos::Properties());
  say("a text among longs", end_of([&] { only_longs->define_property("x", any("text")); }));
  cos::Properties allowed;
  allowed.length(1);
  allowed[0].property_name = "x";
  allowed[0].property_value = any("text");
  say("no such constraint", end_of([&] { (void)sets->create_constrained_propertyset(types, allowed); }));
  allowed[0].property_name = "";
  say("initial", end_of([&] { (void)sets->create_initial_propertyset(allowed); }));
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const CORBA::ORB_var orb = CORBA::ORB_init(argc, argv);
    run(orb.in(), argv[1]);
    orb->destroy();
    return 0;
  } catch (const CORBA::Exception& e) {
    std::printf("%s\n", e._name());
    return 1;
  }
}
