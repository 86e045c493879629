// SPDX-License-Identifier: Apache-2.0
// Types that are used before they are complete, and how deep types are built up (IDL 4.2, 7.4.1.4.4.4.4).
#include <idl/sema/analyzer.h>
#include <idl/sema/composite.h>
#include <idl/source/limits.h>

namespace callis::idl::sema {

// Looks into sequences too. Structs and unions met twice are taken as complete, so that recursion ends.
bool Analyzer::is_complete(const ast::Type& t) {
  std::vector<const ast::Type*> open{&t};
  std::unordered_set<const ast::Type*> visited;
  while (!open.empty()) {
    const ast::Type& type = ast::strip_aliases(*open.back());
    open.pop_back();
    for (const ast::Type* element : element_types(type)) {
      open.push_back(element);
    }
    if (!is_composite(type) || complete_.contains(&type) || !visited.insert(&type).second) {
      continue;
    }
    if (!is_defined(type)) {
      return false;
    }
    for (const ast::Type* member : member_types(type)) {
      open.push_back(member);
    }
  }
  complete_.insert(visited.begin(), visited.end());
  return true;
}

std::uint32_t Analyzer::depth(const ast::Type& t) const {
  const auto known = depths_.find(&ast::strip_aliases(t));
  return known == depths_.end() ? 0 : known->second;
}

// How many names for names lead to the type; 0 for what is no typedef.
std::uint32_t Analyzer::aliases(const ast::Type& t) const {
  const auto known = t.type_kind == ast::TypeKind::Alias ? depths_.find(&t) : depths_.end();
  return known == depths_.end() ? 0 : known->second;
}

// Notes the depth of a new type, of a typedef that of its aliases; true after reporting that it is more than anyone
// needs.
bool Analyzer::too_deep(const ast::Type& t, std::uint32_t depth, const source::Range& where) {
  depths_[&t] = depth <= kMaxTypeDepth ? depth : 0;  // reported once, not for all that follow
  if (depth <= kMaxTypeDepth) {
    return false;
  }
  diagnostics_.error(where, "this type is built up of more than " + std::to_string(kMaxTypeDepth) +
                                " types, one inside the other");
  return true;
}

// True after reporting that no message holds a value.
bool Analyzer::too_large(std::uint64_t bytes, const source::Range& where) {
  if (bytes <= kMaxValueBytes) {
    return false;
  }
  diagnostics_.error(where, "a value of this type takes more than 4 GB, which no message holds");
  return true;
}

// A type that is not complete may be the element of a sequence; such a sequence may be an element,
// a member or get a name.
bool Analyzer::check_complete(const ast::Type& t, TypeUse use, const source::Range& where) {
  const ast::Type& type = ast::strip_aliases(t);
  if (use == TypeUse::Element) {
    return true;
  }
  const bool is_sequence = type.type_kind == ast::TypeKind::Sequence;
  if (is_sequence && (use == TypeUse::Member || use == TypeUse::Typedef)) {
    return true;
  }
  if (is_composite(type) && use != TypeUse::Parameter && use != TypeUse::Attribute && is_defined(type)) {
    return true;  // what it still lacks, it lacks inside sequences
  }
  if (is_complete(type)) {
    return true;
  }
  const ast::Declaration* d = ast::declaration(t);
  diagnostics_.error(where, d != nullptr ? "'" + d->name + "' cannot be used here before it is complete"
                                         : "this type cannot be used here before it is complete");
  if (const ast::Declaration* inner = is_composite(type) ? ast::declaration(type) : d) {
    diagnostics_.note(inner->where, is_composite(type) && inner == owner_
                                        ? "a " + std::string(ast::kind_name(inner->kind)) +
                                              " can contain itself only in a sequence"
                                        : "it is declared here");
  }
  return false;
}

// `d` is an interface or valuetype that may not be defined yet.
void Analyzer::refers_to(const ast::Declaration& d, const source::Range& where) {
  const auto* i = ast::as<ast::Interface>(&d);
  const auto* v = ast::as<ast::ValueType>(&d);
  if ((i != nullptr && !i->defined) || (v != nullptr && !v->defined)) {
    early_uses_.try_emplace(&d, where);
  }
}

}  // namespace callis::idl::sema
