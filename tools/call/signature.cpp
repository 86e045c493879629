// SPDX-License-Identifier: Apache-2.0
#include <tools/call/signature.h>

namespace callis::tools {

namespace ast = idl::ast;
using Mode = ast::Parameter::Mode;

namespace {

CORBA::Flags flags_of(Mode mode) {
  return mode == Mode::In ? CORBA::ARG_IN : mode == Mode::Out ? CORBA::ARG_OUT : CORBA::ARG_INOUT;
}

}  // namespace

Signature signature_of(Types& types, const ast::WireOperation& operation) {
  Signature out;
  out.operation = operation.name;
  const auto add = [&](const std::string& name, CORBA::Flags flags, const ast::Type& type) {
    if (ast::is_local(type)) throw NoSuchType{"'" + name + "' is of a local type, which is never sent"};
    out.parameters.push_back({name, flags, types.type(type)});
  };
  const auto result_of = [&](const ast::Type& type) {
    if (ast::is_local(type)) throw NoSuchType{"the result is of a local type, which is never sent"};
    out.result = types.type(type);
  };
  out.result = CORBA::TypeCode::_duplicate(CORBA::_tc_void);
  if (const ast::Operation* o = operation.operation) {
    for (const ast::Parameter* p : o->parameters) add(p->name, flags_of(p->mode), *p->type);
    result_of(*o->result);
    out.contexts = o->contexts;
    out.oneway = o->oneway;
  } else if (operation.is_setter) {
    add(operation.attribute->name, CORBA::ARG_IN, *operation.attribute->type);
  } else {
    result_of(*operation.attribute->type);
  }
  for (const ast::Exception* e : ast::raises(operation)) out.exceptions.push_back(types.exception(*e));
  return out;
}

}  // namespace callis::tools
