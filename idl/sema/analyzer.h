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

// A name in a message.
inline std::string quoted(const std::string& name) { return "'" + name + "'"; }

struct AnnotationParameter;
struct StandardAnnotation;

class Analyzer {
 public:
  Analyzer(ast::Unit& unit, source::Diagnostics& diagnostics);

  void run(const parse::Body& tree);

 private:
  // analyzer.cpp: bodies, modules, pragmas.
  void items(const parse::Body& body, ast::Declarations& contents);
  void item(const parse::Item& item, ast::Declarations& contents);
  void export_item(const parse::Item& item, ast::Declarations& contents);
  void module(const parse::ModuleItem& item, ast::Declarations& contents);
  void pragma(const parse::PragmaItem& item);
  void file_change(const parse::FileChangeItem& item);
  void repeat_ids(const ast::Declarations& contents);

  // annotations.cpp
  void annotate(ast::Declaration& node, const parse::Annotations& annotations);
  void unknown_annotation(const parse::AnnotationSpec& spec);
  void stubs_annotation(ast::Declaration& node, const parse::AnnotationSpec& spec);
  void standard_annotation(ast::Declaration& node, const parse::AnnotationSpec& spec,
                           const StandardAnnotation& standard);
  int parameter_of(const parse::AnnotationSpec& spec, const parse::AnnotationSpec::Argument& argument,
                   const StandardAnnotation& standard);
  std::optional<ast::Value> annotation_value(const ast::Declaration& node, const parse::AnnotationSpec& spec,
                                             const parse::AnnotationSpec::Argument& argument,
                                             const AnnotationParameter& parameter, bool& good);
  void apply_annotation(ast::Declaration& node, const parse::AnnotationSpec& spec,
                        const std::optional<ast::Value>& first, const std::optional<ast::Value>& second);
  void bit_bound(ast::Declaration& node, const parse::AnnotationSpec& spec, std::uint32_t bits);
  void choose_stubs(ast::Declaration& node, ast::StubStyle style, const source::Range& where);

  // forwards.cpp: forward declarations, and definitions that come after them.
  void forward(const parse::ForwardItem& item, ast::Declarations& contents);
  template <class T>
  ast::Declaration* declare_ahead(const parse::ForwardItem& item, ScopeKind kind);
  void check_forwards();
  void check_forward(const ast::Declaration& d, const source::Range& where, bool defined);
  // The node that a definition fills: that of a forward declaration, or a new one.
  template <class T>
  T& defining(const parse::Name& name, ScopeKind kind) {
    const Entry* before = scope_->find_own(name.text);
    if (before != nullptr && before->name == name.text && !is_declared_anew(*scope_, *before)) {
      if (const T* known = ast::as<T>(before->node); known != nullptr && !known->defined) {
        T& node = const_cast<T&>(*known);
        ids_.again(node, name.where);
        fill(node, name);
        scope_->replace(name.text, &node, name.where);
        return node;
      }
    }
    T& node = make<T>(name);
    declare(*scope_, name, &node);
    ids_.assign(node);
    open_scope(kind, &node);
    return node;
  }
  bool same_flavor(const ast::Interface& node, ast::Interface::Flavor flavor, const source::Range& where);
  bool same_kind(const ast::ValueType& node, bool is_abstract, const source::Range& where);

  // declare.cpp: entering names.
  template <class T>
  T& make(const parse::Name& name) {
    T& node = unit_.make<T>();
    fill(node, name);
    return node;
  }
  void fill(ast::Declaration& node, const parse::Name& name);
  // Declares a name that stands for nothing usable, where it is free.
  void declare_wrong(const parse::Name& name);
  bool declare(Scope& scope, const parse::Name& name, ast::Declaration* node);
  bool may_declare(const Scope& scope, const parse::Name& name, const ast::Declaration* node);
  bool clashes_with_inherited(const Scope& scope, const parse::Name& name,
                              const ast::Declaration* node);
  bool clashes_with_base(const Scope& scope, const parse::Name& name);
  Scope& open_scope(ScopeKind kind, ast::Declaration* owner);
  Scope& scope_of(const ast::Declaration& owner) { return *scopes_.at(&owner); }
  void enter(Scope& scope, ast::Declaration* owner);
  void leave();

  // resolve.cpp: looking names up.
  enum class Wanted { Type, Constant, Exception, Interface, Value, Anything };
  // Null after a report, or silently where the name was declared wrongly.
  ast::Declaration* resolve(const parse::ScopedName& name, Wanted wanted);
  bool is_declared(const parse::Name& name);
  std::vector<const Entry*> look_up(const Scope& scope, const parse::Name& name);
  const Entry* find_first(const parse::Name& name, Wanted wanted);
  const Entry* only(const std::vector<const Entry*>& found, const parse::Name& name);
  const Entry* find_in(const Entry& qualifier, const parse::Name& name, Wanted wanted);
  void introduce(const parse::Name& name, const Scope& declared_in, Scope& used_in);
  std::string unknown(const parse::Name& name, const Scope& innermost, bool outwards,
                      Wanted wanted) const;
  const Scope* scope_behind(const ast::Declaration& d) const;
  void wrong_kind(const parse::ScopedName& name, const ast::Declaration& d, std::string_view wanted);

  // predeclared.cpp: what module CORBA holds without being declared.
  void predeclare();
  bool is_corba(const Scope& scope) const;
  bool is_built_in(const parse::Name& name) const;
  bool from_built_in_file(const source::Range& where) const { return (*unit_.files)[where.begin.file].built_in; }
  bool means_the_orbs(const parse::Name& name) const;
  ast::Interface::Flavor flavor_of(const parse::Name& name, parse::InterfaceFlavor flavor) const;
  bool is_as_the_orb_has_it(const parse::Name& name, const ast::Declaration& node);
  void note_declaration(const ast::Declaration& d);
  bool is_declared_anew(const Scope& scope, const Entry& before) const;
  bool is_known_already(const parse::Item& item) const;
  static bool is_system_exception(const ast::Exception& e);
  const Entry* predeclared(const Scope& scope, std::string_view name) const;
  bool redeclares(const parse::Name& name) const;
  bool is_standard(std::string_view name, const ast::Type& type) const;
  void stands_for(const ast::Declaration& d, std::string_view name);

  // types.cpp
  enum class TypeUse { Member, Element, Typedef, Parameter, Attribute, Constant };
  const ast::Type* type(const parse::TypeSpec& spec, TypeUse use, ast::Declarations* nested);
  const ast::Type* string_type(const parse::TypeSpec::String& spec);
  const ast::Type* sequence_type(const parse::TypeSpec::Sequence& spec, const source::Range& where);
  const ast::Type* fixed_type(const parse::TypeSpec::Fixed& spec, TypeUse use, const source::Range& where);
  ast::Struct& map_entry(const ast::Type& key, const ast::Type& mapped, const source::Range& where);
  void measure_entries();
  const ast::Type* map_type(const parse::TypeSpec::Map& spec, const source::Range& where);
  const ast::Type* named_type(const parse::ScopedName& name, TypeUse use);
  const ast::Type* in_place(const parse::Item& definition, ast::Declarations* nested);
  const ast::Type* declarator_type(const ast::Type* type, const parse::TypeSpec& spec,
                                   const parse::Declarator& declarator, bool is_typedef);

  // completeness.cpp
  bool is_complete(const ast::Type& t);
  std::uint32_t depth(const ast::Type& t) const;
  std::uint32_t aliases(const ast::Type& t) const;
  bool too_deep(const ast::Type& t, std::uint32_t depth, const source::Range& where);
  bool too_large(std::uint64_t bytes, const source::Range& where);
  bool check_complete(const ast::Type& t, TypeUse use, const source::Range& where);
  void refers_to(const ast::Declaration& d, const source::Range& where);

  // definitions.cpp
  void structure(const parse::StructItem& item, ast::Declarations& contents);
  void struct_base(const parse::StructItem& item, ast::Struct& node);
  void exception(const parse::ExceptionItem& item, ast::Declarations& contents);
  void members(const std::vector<parse::MemberSpec>& specs, ast::Declarations& nested,
               std::vector<const ast::Member*>& out);
  void enumeration(const parse::EnumItem& item, ast::Declarations& contents);
  void type_definition(const parse::TypedefItem& item, ast::Declarations& contents);
  void native(const parse::NativeItem& item, ast::Declarations& contents);
  void constant(const parse::ConstItem& item, ast::Declarations& contents);
  std::optional<ast::Value> value_of(const parse::Expression& e, const ast::Type& type);
  void complete(ast::Struct& node, const source::Range& where);
  void complete(ast::Union& node, const source::Range& where);

  // unions.cpp
  struct Labels;
  void union_type(const parse::UnionItem& item, ast::Declarations& contents);
  const ast::Type* discriminator(const parse::UnionItem& item, ast::Union& node);
  void union_case(const parse::CaseSpec& spec, ast::Union& node, Labels& labels);
  void case_labels(const parse::CaseSpec& spec, const ast::Union& node, ast::UnionMember& member, Labels& labels);
  void find_free_label(ast::Union& node, const Labels& labels);

  // bits.cpp: bitsets and bitmasks.
  void note_declaring(const ast::Declarations& contents, std::unordered_set<std::uint32_t>& files) const;
  bool is_all_known(const ast::Include& include, const std::unordered_set<std::uint32_t>& declaring) const;
  void hold(ast::Bitset& node);
  void bitset(const parse::BitsetItem& item, ast::Declarations& contents);
  void bitset_field(const parse::BitsetItem::Field& field, ast::Bitset& node, std::uint32_t& bits);
  void bitmask(const parse::BitmaskItem& item, ast::Declarations& contents);

  // structure.cpp: questions about whole types, answered once all are known.
  void mark_recursive();
  void mark_holders();
  std::unordered_set<const ast::Type*> holders(bool (*is)(const ast::Type&), bool open_boxes) const;
  void check_local();

  // interfaces.cpp
  void interface(const parse::InterfaceItem& item, ast::Declarations& contents);
  const ast::Interface* interface_named(const parse::ScopedName& name);
  bool check_defined(const ast::Interface& base, const parse::ScopedName& name, std::string_view purpose);
  void bases(const parse::InterfaceItem& item, ast::Interface& node, Scope& scope);
  bool may_inherit(ast::Interface& node, const ast::Interface& base, const parse::ScopedName& name);
  bool may_inherit_all(const parse::Name& name, const ast::Declaration& node,
                       const std::vector<const ast::Declarations*>& inherited, std::size_t& so_far);
  void check_inherited(const parse::Name& name, const ast::Declaration& node,
                       const std::vector<const ast::Declarations*>& inherited);

  // operations.cpp
  void operation(const parse::OperationItem& item, ast::Declarations& contents);
  void parameters(const std::vector<parse::ParameterSpec>& specs, ast::Declaration& owner,
                  std::vector<const ast::Parameter*>& out);
  void raises(const std::vector<parse::ScopedName>& names, std::vector<const ast::Exception*>& out);
  void contexts(const parse::OperationItem& item, ast::Operation& node);
  void check_oneway(const parse::OperationItem& item, const ast::Operation& node);
  void attribute(const parse::AttributeItem& item, ast::Declarations& contents);
  void passes(const ast::Type* type, const source::Range& where, const ast::Exception* exception = nullptr);

  // values.cpp
  void value(const parse::ValueItem& item, ast::Declarations& contents);
  void value_bases(const parse::ValueItem& item, ast::ValueType& node, Scope& scope);
  bool value_base(const parse::ValueItem& item, const parse::ScopedName& name, const ast::ValueType& base,
                  ast::ValueType& node);
  void value_supports(const parse::ValueItem& item, ast::ValueType& node, Scope& scope);
  void check_value_supports(const parse::ValueItem& item, const ast::ValueType& node);
  void check_truncatable(const parse::ValueItem& item, const ast::ValueType& node);
  void value_box(const parse::ValueBoxItem& item, ast::Declarations& contents);
  void state(const parse::StateItem& item, ast::Declarations& contents);
  void initializer(const parse::InitializerItem& item, ast::Declarations& contents);

  // identity.cpp: typeid, typeprefix and import.
  void type_id(const parse::TypeIdItem& item);
  void type_prefix(const parse::TypePrefixItem& item);
  void import(const parse::ImportItem& item);

  ast::Unit& unit_;
  source::Diagnostics& diagnostics_;
  RepositoryIds ids_;
  Evaluator evaluator_;
  Lookups lookups_;
  bool lookups_reported_ = false;  // that they are exhausted
  std::deque<Scope> all_scopes_;
  std::unordered_map<const ast::Declaration*, Scope*> scopes_;  // modules: every part
  Scope* scope_ = nullptr;
  ast::Declaration* owner_ = nullptr;  // the module part, interface, … that scope_ belongs to
  std::vector<std::pair<Scope*, ast::Declaration*>> outer_;

  std::vector<bool> in_place_;  // for each open include: it stands inside a definition
  std::unordered_set<source::FileId> included_in_place_;
  std::unordered_set<source::FileId> included_at_top_;

  Entry typecode_;       // what module CORBA holds undeclared
  Entry abstract_base_;
  Entry corba_;          // the module itself while no file has opened it
  // Declarations that stand for a basic type.
  std::unordered_map<const ast::Declaration*, ast::TypeKind> basic_types_;

  std::vector<std::pair<const ast::Declaration*, source::Range>> forwards_;
  // The first use of an interface or valuetype that was not defined by then.
  std::unordered_map<const ast::Declaration*, source::Range> early_uses_;
  std::unordered_set<const ast::Type*> complete_;  // structs and unions known to be
  std::vector<ast::Struct*> entries_;              // of maps; among structs_, too
  std::vector<ast::Struct*> structs_;              // all of them
  std::vector<ast::Union*> unions_;
  bool any_early_use_ = false;                     // of a struct or union before its end
  std::unordered_set<std::string> own_annotations_;      // defined in the unit
  std::unordered_set<std::string> unknown_annotations_;  // reported
  std::optional<std::uint32_t> position_;                // of the last @position
  const parse::Name* boxing_ = nullptr;  // the boxed value whose type is being read
  const ast::Enum* expected_ = nullptr;            // the type of the constant being read
  // What operations of unconstrained interfaces pass.
  struct Passed {
    const ast::Type* type;
    source::Range where;
    const ast::Exception* exception;  // it is a member of; may be null
  };
  std::vector<Passed> passed_;
  // How deep a type is built up. Bounded, so that whoever walks types may recurse.
  std::unordered_map<const ast::Type*, std::uint32_t> depths_;
  std::size_t inherited_members_ = 0;     // of all structs
  std::size_t inherited_by_interfaces_ = 0;  // operations and bases, of all
  std::size_t inherited_by_values_ = 0;
};

}  // namespace callis::idl::sema
