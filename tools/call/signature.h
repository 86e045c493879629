// SPDX-License-Identifier: Apache-2.0
// What an operation takes and gives, as TypeCodes.
#pragma once
#include <callis/dynamic.h>
#include <tools/call/types.h>
#include <string>
#include <vector>

namespace callis::tools {

struct Signature {
  struct Parameter {
    std::string name;
    CORBA::Flags flags;  // ARG_IN, ARG_OUT or ARG_INOUT
    CORBA::TypeCode_var type;
  };

  std::string operation;  // as it goes over the wire: "_get_level"
  std::vector<Parameter> parameters;
  CORBA::TypeCode_var result;  // tk_void for none
  std::vector<CORBA::TypeCode_var> exceptions;
  std::vector<std::string> contexts;  // patterns of the context clause
  bool oneway = false;
};

// Throws NoSuchType, and system exceptions where no TypeCode can be made of a type.
Signature signature_of(Types& types, const idl::ast::WireOperation& operation);

}  // namespace callis::tools
