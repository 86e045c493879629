// SPDX-License-Identifier: Apache-2.0
#include <idl/backends/classic/cxx_types.h>
#include <idl/backends/classic/member_types.h>
#include <idl/backends/classic/names.h>
#include <idl/backends/classic/typecodes.h>
#include <algorithm>
#include <span>

namespace callis::idl::backends::classic {

namespace {

// What a class of this kind has already that is called `_x`: the mapping's and its bases'. The latter only where
// generated code or an application could not do without.
std::span<const std::string_view> taken_names(ast::DeclarationKind of) {
  static constexpr std::string_view plain[] = {"var_type", "out_type"};
  static constexpr std::string_view of_union[] = {"var_type", "out_type", "d", "default"};
  static constexpr std::string_view of_exception[] = {"raise", "name", "rep_id", "duplicate", "downcast", "narrow"};
  static constexpr std::string_view of_value[] = {"ptr_type", "var_type",    "downcast",       "copy_value",
                                                  "add_ref",  "remove_ref",  "refcount_value", "value",
                                                  "boxed_in", "boxed_inout", "boxed_out"};
  switch (of) {
    case ast::DeclarationKind::Union: return of_union;
    case ast::DeclarationKind::Exception: return of_exception;
    case ast::DeclarationKind::Value: return std::span(of_value).first(7);
    case ast::DeclarationKind::ValueBox: return of_value;
    default: return plain;
  }
}

}  // namespace

bool MemberStems::is_taken(const std::string& name) const {
  return name.starts_with("callis_") || taken_.contains(name);  // "_callis_..." is generated code's own
}

void MemberStems::choose(const ast::Declaration& of, std::vector<Anonymous> members,
                         const ast::Declarations& nested) {
  const auto none = [](const Anonymous& m) { return !is_anonymous(*m.type); };
  if (std::all_of(members.begin(), members.end(), none)) return;
  for (std::string_view taken : taken_names(of.kind)) taken_.emplace(taken);
  const auto keyword = [this](const std::string& idl_name) {
    const std::string id = identifier(idl_name);
    if (id != idl_name) taken_.insert(id.substr(1));
  };
  keyword(of.name);
  for (const Anonymous& m : members) keyword(*m.name);
  for (const ast::Declaration* d : nested) {
    keyword(d->name);
    taken_.insert("tc_" + d->name);
    if (const auto* e = ast::as<ast::Enum>(d))
      for (const ast::Enumerator* x : e->enumerators) keyword(x->name);
  }
  std::erase_if(members, none);
  std::stable_sort(members.begin(), members.end(), [](const Anonymous& a, const Anonymous& b) {
    const bool x = a.type->type_kind == ast::TypeKind::Array, y = b.type->type_kind == ast::TypeKind::Array;
    return x != y ? y : a.name->size() < b.name->size();
  });
  for (const Anonymous& m : members) {
    std::string stem = *m.name;
    if (m.type->type_kind == ast::TypeKind::Sequence) {
      while (taken_.contains(stem + "_seq")) stem += "_sequence";
      taken_.insert(stem + "_seq");
    } else {
      while (is_taken(stem) || taken_.contains(stem + "_slice"))
        stem = (stem.starts_with("callis_") ? "of_" : "") + stem + "_array";
      taken_.insert(stem);
      taken_.insert(stem + "_slice");
    }
    if (stem != *m.name) other_.emplace(*m.name, stem);
  }
}

bool is_anonymous(const ast::Type& t) {
  return t.type_kind == ast::TypeKind::Sequence || t.type_kind == ast::TypeKind::Array;
}

std::string spelled(const std::string& stem, const ast::Type& t) {
  if (t.type_kind == ast::TypeKind::Sequence) return cat("_", stem, "_seq");
  if (t.type_kind == ast::TypeKind::Array) return "_" + stem;
  return value_type(t);
}

std::string spelled_slice(const std::string& stem, const ast::Type& t) {
  return t.type_kind == ast::TypeKind::Array ? cat("_", stem, "_slice") : slice_type(t);
}

void print_member_typedefs(Text& to, const std::string& stem, const ast::Type& t) {
  if (t.type_kind == ast::TypeKind::Sequence) to.line("typedef ", value_type(t), " _", stem, "_seq;");
  const auto* a = ast::as<ast::ArrayType>(&t);
  if (!a) return;
  std::string rest;
  for (std::size_t i = 1; i < a->dimensions.size(); ++i) rest += cat('[', a->dimensions[i], ']');
  to.line("typedef ", member_type(*a->element), " _", stem, dimensions(*a), ";");
  to.line("typedef ", member_type(*a->element), " _", stem, "_slice", rest, ";");
}

}  // namespace callis::idl::backends::classic
