// SPDX-License-Identifier: Apache-2.0
// reader IOR [-ORBoption value]...: reads an Interface Repository by this ORB's stubs, and prints a line for each
// definition, and for each operation and attribute of each interface. jacorb/src/ifr/Reader.java prints the same.
#ifdef INTEROP_OMNIORB
#define ENABLE_CLIENT_IR_SUPPORT
#include <omniORB4/CORBA.h>
#else
#include <callis/corba.h>
#include "ir.h"
#endif
#include <iostream>
#include <string>

namespace {

std::string text(const char* s) { return CORBA::String_var(CORBA::string_dup(s)).in(); }

std::string type(CORBA::TypeCode_ptr t) { return std::to_string(static_cast<int>(t->kind())); }

void print_exceptions(const CORBA::ExcDescriptionSeq& all) {
  for (CORBA::ULong i = 0; i < all.length(); ++i) std::cout << " raises " << all[i].id;
}

void print_operations(const CORBA::OpDescriptionSeq& all) {
  for (CORBA::ULong i = 0; i < all.length(); ++i) {
    const CORBA::OperationDescription& o = all[i];
    std::cout << "  operation " << o.name << ' ' << o.id << " in " << o.defined_in << " mode "
              << static_cast<int>(o.mode) << " result " << type(o.result.in());
    for (CORBA::ULong n = 0; n < o.parameters.length(); ++n)
      std::cout << ' ' << o.parameters[n].name << ':' << static_cast<int>(o.parameters[n].mode) << ':'
                << type(o.parameters[n].type.in());
    print_exceptions(o.exceptions);
    for (CORBA::ULong n = 0; n < o.contexts.length(); ++n) std::cout << " context " << o.contexts[n];
    std::cout << '\n';
  }
}

void print_attributes(const CORBA::AttrDescriptionSeq& all) {
  for (CORBA::ULong i = 0; i < all.length(); ++i)
    std::cout << "  attribute " << all[i].name << " mode " << static_cast<int>(all[i].mode) << " type "
              << type(all[i].type.in()) << '\n';
}

void print_ids(const char* what, const CORBA::RepositoryIdSeq& all) {
  for (CORBA::ULong i = 0; i < all.length(); ++i) std::cout << "  " << what << ' ' << all[i] << '\n';
}

void print_type(CORBA::IDLType_ptr t) {
  CORBA::TypeCode_var code = t->type();
  std::cout << "  type " << type(code.in());
  switch (code->kind()) {
    case CORBA::tk_struct:
    case CORBA::tk_union:
    case CORBA::tk_enum:
      for (CORBA::ULong i = 0; i < code->member_count(); ++i) std::cout << ' ' << code->member_name(i);
      break;
    case CORBA::tk_alias: {
      CORBA::TypeCode_var content = code->content_type();
      std::cout << " of " << type(content.in());
      break;
    }
    default: break;
  }
  std::cout << '\n';
}

void print_in(CORBA::Container_ptr container);

void print(CORBA::Contained_ptr c) {
  const CORBA::DefinitionKind kind = c->def_kind();
  CORBA::String_var name = c->absolute_name(), id = c->id(), version = c->version();
  CORBA::Contained::Description_var d = c->describe();
  std::cout << static_cast<int>(kind) << ' ' << name.in() << ' ' << id.in() << ' ' << version.in()
            << (d->kind == kind ? "" : " DESCRIBED AS ANOTHER KIND") << '\n';
  switch (kind) {
    case CORBA::dk_Interface:
    case CORBA::dk_AbstractInterface: {
      CORBA::InterfaceDef_var i = CORBA::InterfaceDef::_narrow(c);
      CORBA::InterfaceDef::FullInterfaceDescription_var full = i->describe_interface();
      print_ids("base", full->base_interfaces);
      print_operations(full->operations);
      print_attributes(full->attributes);
      break;
    }
    case CORBA::dk_Value: {
      CORBA::ValueDef_var v = CORBA::ValueDef::_narrow(c);
      CORBA::ValueDef::FullValueDescription_var full = v->describe_value();
      std::cout << "  flags " << int(full->is_abstract) << int(full->is_custom) << int(full->is_truncatable)
                << " base " << full->base_value << '\n';
      print_ids("supports", full->supported_interfaces);
      for (CORBA::ULong i = 0; i < full->members.length(); ++i)
        std::cout << "  member " << full->members[i].name << ' ' << full->members[i].access << ' '
                  << type(full->members[i].type.in()) << '\n';
      break;
    }
    case CORBA::dk_Constant: {
      CORBA::ConstantDef_var constant = CORBA::ConstantDef::_narrow(c);
      CORBA::Any_var value = constant->value();
      CORBA::TypeCode_var t = value->type();
      std::cout << "  value of " << type(t.in()) << '\n';
      break;
    }
    default: break;
  }
  CORBA::IDLType_var t = CORBA::IDLType::_narrow(c);
  if (!CORBA::is_nil(t)) print_type(t.in());
  CORBA::Container_var inner = CORBA::Container::_narrow(c);
  if (!CORBA::is_nil(inner)) print_in(inner.in());
}

void print_in(CORBA::Container_ptr container) {
  CORBA::ContainedSeq_var all = container->contents(CORBA::dk_all, true);
  for (CORBA::ULong i = 0; i < all->length(); ++i) print(all[i]);
}

}  // namespace

int main(int argc, char** argv) {
  try {
    CORBA::ORB_var orb = CORBA::ORB_init(argc, argv);
    CORBA::Object_var object = orb->string_to_object(argv[1]);
    CORBA::Repository_var repository = CORBA::Repository::_narrow(object);
    if (CORBA::is_nil(repository)) throw "no repository";
    print_in(repository.in());
    CORBA::Contained_var nothing = repository->lookup_id("IDL:nothing:1.0");
    std::cout << "nothing is " << (CORBA::is_nil(nothing) ? "nil" : text("there")) << '\n';
    orb->destroy();
  } catch (const CORBA::SystemException& e) {
    std::cout << "reader: " << e._name() << ' ' << e.minor() << '\n';
    return 1;
  } catch (const char* why) {
    std::cout << "reader: " << why << '\n';
    return 1;
  }
}
