// SPDX-License-Identifier: Apache-2.0
// Private to this folder: structs and unions seen alike.
#pragma once
#include <idl/ast/nodes.h>
#include <vector>

namespace callis::idl::sema {

inline bool is_composite(const ast::Type& t) {
  return t.type_kind == ast::TypeKind::Struct || t.type_kind == ast::TypeKind::Union;
}

// `t` is a struct or union.
inline bool is_defined(const ast::Type& t) {
  const auto* s = ast::as<ast::Struct>(&t);
  return s != nullptr ? s->defined : ast::as<ast::Union>(&t)->defined;
}

// The types of the members so far, typedefs included; none where `t` is neither struct nor union.
inline std::vector<const ast::Type*> member_types(const ast::Type& t) {
  std::vector<const ast::Type*> out;
  if (const auto* s = ast::as<ast::Struct>(&t)) {
    for (const ast::Member* member : s->members) {
      out.push_back(member->type);
    }
  } else if (const auto* u = ast::as<ast::Union>(&t)) {
    for (const ast::UnionMember* member : u->members) {
      out.push_back(member->type);
    }
  }
  return out;
}

// What a sequence or array holds; none for others.
inline std::vector<const ast::Type*> element_types(const ast::Type& t) {
  if (const auto* sequence = ast::as<ast::SequenceType>(&t)) {
    return {sequence->element};
  }
  if (const auto* array = ast::as<ast::ArrayType>(&t)) {
    return {array->element};
  }
  return {};
}

}  // namespace callis::idl::sema
