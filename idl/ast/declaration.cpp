// SPDX-License-Identifier: Apache-2.0
#include <idl/ast/declaration.h>
#include <algorithm>

namespace callis::idl::ast {

bool takes_stubs(DeclarationKind kind) {
  switch (kind) {
    case DeclarationKind::Interface:
    case DeclarationKind::Operation:
    case DeclarationKind::Attribute:
    case DeclarationKind::Value:
    case DeclarationKind::ValueBox:
    case DeclarationKind::Struct:
    case DeclarationKind::Union:
    case DeclarationKind::Exception:
    case DeclarationKind::Enum:
    case DeclarationKind::Typedef: return true;
    default: return false;
  }
}

std::string_view kind_name(DeclarationKind kind) {
  switch (kind) {
    case DeclarationKind::Module: return "module";
    case DeclarationKind::Interface: return "interface";
    case DeclarationKind::Forward: return "forward declaration";
    case DeclarationKind::Operation: return "operation";
    case DeclarationKind::Attribute: return "attribute";
    case DeclarationKind::Parameter: return "parameter";
    case DeclarationKind::Value: return "valuetype";
    case DeclarationKind::ValueBox: return "boxed value";
    case DeclarationKind::StateMember: return "state member";
    case DeclarationKind::Initializer: return "factory";
    case DeclarationKind::Native: return "native type";
    case DeclarationKind::Struct: return "struct";
    case DeclarationKind::Union: return "union";
    case DeclarationKind::UnionMember: return "union member";
    case DeclarationKind::Exception: return "exception";
    case DeclarationKind::Member: return "member";
    case DeclarationKind::Enum: return "enum";
    case DeclarationKind::Enumerator: return "enumerator";
    case DeclarationKind::Typedef: return "typedef";
    case DeclarationKind::Const: return "constant";
    case DeclarationKind::Bitset: return "bitset";
    case DeclarationKind::Bitmask: return "bitmask";
  }
  return "declaration";
}

std::vector<std::string> path(const Declaration& d) {
  std::vector<std::string> out;
  out.reserve(4);
  const bool skip_enum = d.kind == DeclarationKind::Enumerator;
  for (const Declaration* at = &d; at != nullptr; at = at->parent) {
    if (!(skip_enum && at == d.parent)) {
      out.push_back(at->name);
    }
  }
  std::reverse(out.begin(), out.end());
  return out;
}

std::string scoped_name(const Declaration& d, std::string_view separator) {
  std::string out;
  for (const std::string& name : path(d)) {
    if (!out.empty()) {
      out += separator;
    }
    out += name;
  }
  return out;
}

}  // namespace callis::idl::ast
