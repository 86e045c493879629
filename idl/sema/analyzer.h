// SPDX-License-Identifier: Apache-2.0
// Private to this folder: the walk over a syntax tree. Declarations are entered in the order of
// the file, so that a name can be used only after it is declared. One .cpp for each part.
#pragma once
#include <idl/ast/unit.h>
#include <idl/parse/tree.h>
#include <idl/sema/evaluate.h>
#include <idl/sema/repository_ids.h>
#include <idl/sema/scope.h>
#include <idl/sema/suggest.h>
#include <idl/source/diagnostics.h>
#include <deque>
#include <unordered_map>
#include <unordered_set>

namespace callis::idl::sema {

class Analyzer {
 public:
  Analyzer(ast::Unit& unit, source::Diagnostics& diagnostics);

  void run(const parse::Body& tree);

 private:
  // analyzer.cpp: bodies, modules, pragmas, forward declarations.
  void items(const parse::Body& body, ast::Declarations& contents);
  void item(const parse::Item& item, ast::Declarations& contents);
  void module(const parse::ModuleItem& item, ast::Declarations& contents);
  void forward(const parse::ForwardItem& item, ast::Declarations& contents);
  void pragma(const parse::PragmaItem& item);
  void file_change(const parse::FileChangeItem& item);
  void annotate(ast::Declaration& node, const parse::Item& item);
  void check_forwards();

  // declare.cpp: entering names.
  template <class T>
  T& make(const parse::Name& name) {
    T& node = unit_.make<T>();
    fill(node, name);
    return node;
  }
  void fill(ast::Declaration& node, const parse::Name& name);
  bool declare(Scope& scope, const parse::Name& name, ast::Declaration* node);
  bool may_declare(const Scope& scope, const parse::Name& name, const ast::Declaration* node);
  bool clashes_with_inherited(const Scope& scope, const parse::Name& name,
                              const ast::Declaration* node);
  Scope& open_scope(ScopeKind kind, ast::Declaration* owner);
  Scope& scope_of(const ast::Declaration& owner) { return *scopes_.at(&owner); }
  void enter(Scope& scope, ast::Declaration* owner);
  void leave();

  // resolve.cpp: looking names up.
  enum class Wanted { Type, Constant, Exception, Interface, Anything };
  // Null after a report, or silently where the name was declared wrongly.
  ast::Declaration* resolve(const parse::ScopedName& name, Wanted wanted);
  const Entry* find_first(const parse::Name& name, Wanted wanted);
  const Entry* only(const std::vector<const Entry*>& found, const parse::Name& name);
  const Entry* find_in(const Entry& qualifier, const parse::Name& name, Wanted wanted);
  void introduce(const parse::Name& name, const Scope& declared_in, Scope& used_in);
  std::string unknown(const parse::Name& name, const Scope& innermost, bool outwards,
                      Wanted wanted) const;
  const Scope* scope_behind(const ast::Declaration& d) const;

  // types.cpp
  enum class TypeUse { Member, Element, Typedef, Parameter, Attribute, Constant };
  const ast::Type* type(const parse::TypeSpec& spec, TypeUse use, ast::Declarations* nested);
  const ast::Type* named_type(const parse::ScopedName& name, TypeUse use);
  const ast::Type* in_place(const parse::Item& definition, ast::Declarations* nested);
  const ast::Type* declarator_type(const ast::Type* type, const parse::TypeSpec& spec,
                                   const parse::Declarator& declarator, bool is_typedef);
  bool is_complete(const ast::Type& t);
  std::uint32_t depth(const ast::Type& t) const;
  bool too_deep(const ast::Type& t, std::uint32_t depth, const source::Range& where);
  bool check_complete(const ast::Type& t, TypeUse use, const source::Range& where);
  void refers_to(const ast::Interface& i, const source::Range& where);

  // definitions.cpp
  void structure(const parse::StructItem& item, ast::Declarations& contents);
  void exception(const parse::ExceptionItem& item, ast::Declarations& contents);
  void members(const std::vector<parse::MemberSpec>& specs, ast::Declaration& owner,
               ast::Declarations& nested, std::vector<const ast::Member*>& out);
  void enumeration(const parse::EnumItem& item, ast::Declarations& contents);
  void type_definition(const parse::TypedefItem& item, ast::Declarations& contents);
  void constant(const parse::ConstItem& item, ast::Declarations& contents);
  void mark_recursive();

  // interfaces.cpp
  void interface(const parse::InterfaceItem& item, ast::Declarations& contents);
  void bases(const parse::InterfaceItem& item, ast::Interface& node, Scope& scope);
  void check_inherited(const parse::InterfaceItem& item, const ast::Interface& node);
  void operation(const parse::OperationItem& item, ast::Declarations& contents);
  void parameters(const parse::OperationItem& item, ast::Operation& node);
  void raises(const parse::OperationItem& item, ast::Operation& node);
  void check_oneway(const parse::OperationItem& item, const ast::Operation& node);
  void attribute(const parse::AttributeItem& item, ast::Declarations& contents);

  ast::Unit& unit_;
  source::Diagnostics& diagnostics_;
  RepositoryIds ids_;
  Evaluator evaluator_;
  std::deque<Scope> all_scopes_;
  std::unordered_map<const ast::Declaration*, Scope*> scopes_;  // modules: every part
  Scope* scope_ = nullptr;
  ast::Declaration* owner_ = nullptr;  // the module part, interface, … that scope_ belongs to
  std::vector<std::pair<Scope*, ast::Declaration*>> outer_;

  std::vector<bool> in_place_;  // for each open include: it stands inside a definition
  std::unordered_set<source::FileId> included_in_place_;
  std::unordered_set<source::FileId> included_at_top_;

  std::vector<std::pair<const ast::Declaration*, source::Range>> forwards_;
  // The first use of an interface that was not defined by then.
  std::unordered_map<const ast::Interface*, source::Range> early_uses_;
  std::unordered_set<const ast::Struct*> complete_;  // known to be
  std::vector<ast::Struct*> structs_;                // all of them
  bool any_early_use_ = false;                       // of a struct before its end
  // How deep a type is built up. Bounded, so that whoever walks types may recurse.
  std::unordered_map<const ast::Type*, std::uint32_t> depths_;
};

}  // namespace callis::idl::sema
