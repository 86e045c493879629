// SPDX-License-Identifier: Apache-2.0
// Names of module CORBA that IDL may use although no file declares them: TypeCode (IDL 4.2, 7.4.6.4.7) and
// AbstractBase. They are no entries of a scope: a file that opens module CORBA may declare them, as the OMG's own
// files do, and means the same types by it.
#include <idl/sema/analyzer.h>
#include <algorithm>
#include <iterator>

namespace callis::idl::sema {

void Analyzer::predeclare() {
  auto& module = unit_.make<ast::Module>();
  module.name = "CORBA";
  module.first = &module;
  module.from_main_file = false;
  corba_ = {module.name, {}, &module};
  open_scope(ScopeKind::Module, &module);
  const auto add = [&](Entry& entry, std::string name, ast::TypeKind kind) {
    auto& node = unit_.make<ast::Native>();
    node.name = name;
    node.parent = &module;
    node.from_main_file = false;
    entry = {std::move(name), {}, &node};
    basic_types_.emplace(&node, kind);
  };
  add(typecode_, "TypeCode", ast::TypeKind::TypeCode);
  add(abstract_base_, "AbstractBase", ast::TypeKind::AbstractBase);
}

bool Analyzer::is_corba(const Scope& scope) const {
  return scope.kind == ScopeKind::Module && scope.parent != nullptr && scope.parent->kind == ScopeKind::Root &&
         scope.owner->name == corba_.name;
}

// Null where `scope` holds nothing of that name undeclared.
const Entry* Analyzer::predeclared(const Scope& scope, std::string_view name) const {
  if (scope.kind == ScopeKind::Root) {
    return name == corba_.name ? &corba_ : nullptr;
  }
  if (!is_corba(scope)) {
    return nullptr;
  }
  return name == typecode_.name ? &typecode_ : name == abstract_base_.name ? &abstract_base_ : nullptr;
}

// `interface TypeCode` in module CORBA: its name goes on standing for the basic type.
bool Analyzer::redeclares(const parse::Name& name) const { return predeclared(*scope_, name.text) != nullptr; }

void Analyzer::stands_for(const ast::Declaration& d, std::string_view name) {
  basic_types_.emplace(&d, name == typecode_.name ? ast::TypeKind::TypeCode : ast::TypeKind::AbstractBase);
}

// Sequences of basic types, as CORBA's own orb.idl declares them: every language mapping has them already, in
// whichever file they are declared.
bool Analyzer::is_standard(std::string_view name, const ast::Type& type) const {
  static constexpr std::pair<std::string_view, ast::TypeKind> kSequences[] = {
      {"AnySeq", ast::TypeKind::Any},
      {"BooleanSeq", ast::TypeKind::Boolean},
      {"CharSeq", ast::TypeKind::Char},
      {"WCharSeq", ast::TypeKind::WChar},
      {"OctetSeq", ast::TypeKind::Octet},
      {"ShortSeq", ast::TypeKind::Short},
      {"UShortSeq", ast::TypeKind::UShort},
      {"LongSeq", ast::TypeKind::Long},
      {"ULongSeq", ast::TypeKind::ULong},
      {"LongLongSeq", ast::TypeKind::LongLong},
      {"ULongLongSeq", ast::TypeKind::ULongLong},
      {"FloatSeq", ast::TypeKind::Float},
      {"DoubleSeq", ast::TypeKind::Double},
      {"LongDoubleSeq", ast::TypeKind::LongDouble},
      {"StringSeq", ast::TypeKind::String}};
  const auto* sequence = ast::as<ast::SequenceType>(&type);
  if (sequence == nullptr || sequence->bound != 0 || !is_corba(*scope_)) {
    return false;
  }
  const auto* text = ast::as<ast::StringType>(sequence->element);
  const bool bounded = text != nullptr && text->bound != 0;
  return std::any_of(std::begin(kSequences), std::end(kSequences), [&](const auto& known) {
    return known.first == name && known.second == sequence->element->type_kind && !bounded;
  });
}

}  // namespace callis::idl::sema
