// SPDX-License-Identifier: Apache-2.0
// The walk over a tree: modules, scopes, and which rule looks at what.
#include <idl/sema/analyzer.h>
#include <idl/sema/sema.h>
#include <algorithm>

namespace callis::idl::sema {

std::unique_ptr<ast::Unit> analyze(const parse::Body& tree,
                                   std::shared_ptr<const source::Files> files,
                                   source::FileId main_file,
                                   const std::vector<source::IncludeDirective>& includes,
                                   source::Diagnostics& diagnostics) {
  auto unit = std::make_unique<ast::Unit>(std::move(files));
  unit->main_file = main_file;
  for (const source::IncludeDirective& i : includes) {
    unit->includes.push_back({i.spelled, i.angled, i.file, i.where});
  }
  Analyzer(*unit, diagnostics).run(tree);
  return unit;
}

Analyzer::Analyzer(ast::Unit& unit, source::Diagnostics& diagnostics)
    : unit_(unit),
      diagnostics_(diagnostics),
      ids_(diagnostics),
      evaluator_(diagnostics, [this](const parse::ScopedName& name) -> const ast::Declaration* {
        return resolve(name, Wanted::Constant);
      }) {}

void Analyzer::run(const parse::Body& tree) {
  scope_ = &open_scope(ScopeKind::Root, nullptr);
  predeclare();
  items(tree, unit_.contents);
  check_forwards();
  measure_entries();
  mark_recursive();
  mark_holders();
  check_local();
  repeat_ids(unit_.contents);
  std::unordered_set<std::uint32_t> declaring;
  note_declaring(unit_.contents, declaring);
  std::erase_if(unit_.includes, [this, &declaring](const ast::Include& i) {
    return (included_in_place_.contains(i.file) && !included_at_top_.contains(i.file)) || is_all_known(i, declaring);
  });
  for (ast::Include& i : unit_.includes) {
    if (included_in_place_.contains(i.file)) {
      i.where = {};
    }
  }
}

// The files that declare what a header is generated for.
void Analyzer::note_declaring(const ast::Declarations& contents, std::unordered_set<std::uint32_t>& files) const {
  for (const ast::Declaration* d : contents) {
    if (const auto* module = ast::as<ast::Module>(d)) {
      note_declaring(module->contents, files);
    } else if (!d->built_in && d->kind != ast::DeclarationKind::Forward) {
      for (source::FileId file = d->where.begin.file; file != source::kNoFile && file != unit_.main_file;) {
        if (!files.insert(static_cast<std::uint32_t>(file)).second) {
          break;
        }
        file = (*unit_.files)[file].included_at.file;
      }
    }
  }
}

// Another ORB's orb.idl in which, and in whose includes, nothing is that the runtime has not: no header is made from
// it.
bool Analyzer::is_all_known(const ast::Include& include, const std::unordered_set<std::uint32_t>& declaring) const {
  const bool named_so = include.spelled == "orb.idl" || include.spelled.ends_with("/orb.idl");
  return named_so && !declaring.contains(static_cast<std::uint32_t>(include.file));
}

// What is included inside a definition is a part of that definition, as if it stood in the
// including file; no header can be generated for it alone.
void Analyzer::file_change(const parse::FileChangeItem& item) {
  if (!item.enter) {
    ids_.leave_file();
    if (!in_place_.empty()) {
      in_place_.pop_back();
    }
    return;
  }
  ids_.enter_file(owner_ != nullptr);
  const bool in_main = std::find(in_place_.begin(), in_place_.end(), false) == in_place_.end();
  in_place_.push_back(in_main && owner_ != nullptr);
  (in_place_.back() ? included_in_place_ : included_at_top_).insert(item.file);
}

void Analyzer::items(const parse::Body& body, ast::Declarations& contents) {
  for (const parse::ItemPtr& i : body) {
    if (diagnostics_.exhausted()) {
      return;
    }
    item(*i, contents);
  }
}

// As `on<parse::X>(item)` in a switch over kinds.
template <class T>
const T& on(const parse::Item& item) {
  return static_cast<const T&>(item);
}

void Analyzer::item(const parse::Item& item, ast::Declarations& contents) {
  using parse::ItemKind;
  if (is_known_already(item)) {
    return;
  }
  switch (item.kind) {
    case ItemKind::Module: return module(on<parse::ModuleItem>(item), contents);
    case ItemKind::Interface: return interface(on<parse::InterfaceItem>(item), contents);
    case ItemKind::Value: return value(on<parse::ValueItem>(item), contents);
    case ItemKind::ValueBox: return value_box(on<parse::ValueBoxItem>(item), contents);
    case ItemKind::Struct: return structure(on<parse::StructItem>(item), contents);
    case ItemKind::Union: return union_type(on<parse::UnionItem>(item), contents);
    case ItemKind::Exception: return exception(on<parse::ExceptionItem>(item), contents);
    case ItemKind::Enum: return enumeration(on<parse::EnumItem>(item), contents);
    case ItemKind::Bitset: return bitset(on<parse::BitsetItem>(item), contents);
    case ItemKind::Bitmask: return bitmask(on<parse::BitmaskItem>(item), contents);
    case ItemKind::Typedef: return type_definition(on<parse::TypedefItem>(item), contents);
    case ItemKind::Native: return native(on<parse::NativeItem>(item), contents);
    case ItemKind::Const: return constant(on<parse::ConstItem>(item), contents);
    case ItemKind::Forward: return forward(on<parse::ForwardItem>(item), contents);
    case ItemKind::TypeId: return type_id(on<parse::TypeIdItem>(item));
    case ItemKind::TypePrefix: return type_prefix(on<parse::TypePrefixItem>(item));
    case ItemKind::Import: return import(on<parse::ImportItem>(item));
    case ItemKind::AnnotationDefinition: own_annotations_.insert(item.name.text); return;
    case ItemKind::Pragma: return pragma(on<parse::PragmaItem>(item));
    case ItemKind::FileChange: return file_change(on<parse::FileChangeItem>(item));
    case ItemKind::Invalid: return declare_wrong(item.name);
    case ItemKind::Operation:
    case ItemKind::Attribute:
    case ItemKind::State:
    case ItemKind::Initializer: return export_item(item, contents);
  }
}

void Analyzer::export_item(const parse::Item& item, ast::Declarations& contents) {
  using parse::ItemKind;
  switch (item.kind) {
    case ItemKind::Operation: return operation(on<parse::OperationItem>(item), contents);
    case ItemKind::Attribute: return attribute(on<parse::AttributeItem>(item), contents);
    case ItemKind::State: return state(on<parse::StateItem>(item), contents);
    default: return initializer(on<parse::InitializerItem>(item), contents);
  }
}

// Each appearance is a node of its own; all of them share one scope.
void Analyzer::module(const parse::ModuleItem& item, ast::Declarations& contents) {
  ast::Module& part = make<ast::Module>(item.name);
  part.first = &part;
  const Entry* before = scope_->find_own(item.name.text);
  const auto* first = before != nullptr ? ast::as<ast::Module>(before->node) : nullptr;
  if (first != nullptr && before->name == item.name.text) {
    part.first = first;
    part.repository_id = first->repository_id;
    ids_.again(*first, item.name.where);
    scopes_.emplace(&part, &scope_of(*first));
  } else {
    declare(*scope_, item.name, &part);
    ids_.assign(part);
    open_scope(ScopeKind::Module, &part);
  }
  annotate(part, item.annotations);
  contents.push_back(&part);
  enter(scope_of(part), &part);
  items(item.body, part.contents);
  leave();
}

// A pragma, typeid or typeprefix may have changed the id since a module was opened again or a name declared ahead.
void Analyzer::repeat_ids(const ast::Declarations& contents) {
  for (const ast::Declaration* d : contents) {
    if (const auto* forward = ast::as<ast::Forward>(d)) {
      const_cast<ast::Forward*>(forward)->repository_id = forward->target->repository_id;
    } else if (const auto* module = ast::as<ast::Module>(d)) {
      const_cast<ast::Module*>(module)->repository_id = module->first->repository_id;
      repeat_ids(module->contents);
    }
  }
}

void Analyzer::pragma(const parse::PragmaItem& item) {
  if (item.what == parse::PragmaItem::What::Prefix) {
    ids_.set_prefix(item.text);
    return;
  }
  ast::Declaration* target = resolve(item.target, Wanted::Anything);
  if (target == nullptr) {
    return;
  }
  if (item.what == parse::PragmaItem::What::Stubs) {
    choose_stubs(*target,
                 item.stubs == parse::StubStyle::Compiled ? ast::StubStyle::Compiled : ast::StubStyle::Interpreted,
                 item.stubs_where);
  } else if (item.what == parse::PragmaItem::What::Id) {
    ids_.set_id(*target, item);
  } else {
    ids_.set_version(*target, item);
  }
}

}  // namespace callis::idl::sema
