// SPDX-License-Identifier: Apache-2.0
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
  items(tree, unit_.contents);
  check_forwards();
  mark_recursive();
  std::erase_if(unit_.includes, [this](const ast::Include& i) {
    return included_in_place_.contains(i.file) && !included_at_top_.contains(i.file);
  });
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
  ids_.enter_file();
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

void Analyzer::item(const parse::Item& item, ast::Declarations& contents) {
  using parse::ItemKind;
  switch (item.kind) {
    case ItemKind::Module: return module(static_cast<const parse::ModuleItem&>(item), contents);
    case ItemKind::Interface:
      return interface(static_cast<const parse::InterfaceItem&>(item), contents);
    case ItemKind::Operation:
      return operation(static_cast<const parse::OperationItem&>(item), contents);
    case ItemKind::Attribute:
      return attribute(static_cast<const parse::AttributeItem&>(item), contents);
    case ItemKind::Struct: return structure(static_cast<const parse::StructItem&>(item), contents);
    case ItemKind::Exception:
      return exception(static_cast<const parse::ExceptionItem&>(item), contents);
    case ItemKind::Enum: return enumeration(static_cast<const parse::EnumItem&>(item), contents);
    case ItemKind::Typedef:
      return type_definition(static_cast<const parse::TypedefItem&>(item), contents);
    case ItemKind::Const: return constant(static_cast<const parse::ConstItem&>(item), contents);
    case ItemKind::Forward: return forward(static_cast<const parse::ForwardItem&>(item), contents);
    case ItemKind::Pragma: return pragma(static_cast<const parse::PragmaItem&>(item));
    case ItemKind::FileChange:
      return file_change(static_cast<const parse::FileChangeItem&>(item));
    case ItemKind::Invalid:
      if (scope_->find_own(item.name.text) == nullptr) {
        scope_->add({item.name.text, item.name.where, nullptr});
      }
      return;
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
  annotate(part, item);
  contents.push_back(&part);
  enter(scope_of(part), &part);
  items(item.body, part.contents);
  leave();
}

void Analyzer::forward(const parse::ForwardItem& item, ast::Declarations& contents) {
  const auto kind = item.is_struct ? ast::DeclarationKind::Struct : ast::DeclarationKind::Interface;
  const Entry* before = scope_->find_own(item.name.text);
  const bool again = before != nullptr && before->node != nullptr && before->node->kind == kind &&
                     before->name == item.name.text;
  ast::Declaration* target = again ? before->node : nullptr;
  if (again) {
    ids_.again(*target, item.name.where);
  } else {
    target = item.is_struct ? static_cast<ast::Declaration*>(&make<ast::Struct>(item.name))
                            : &make<ast::Interface>(item.name);
    if (!declare(*scope_, item.name, target)) {
      return;
    }
    ids_.assign(*target);
    forwards_.emplace_back(target, item.name.where);
    open_scope(item.is_struct ? ScopeKind::Struct : ScopeKind::Interface, target);
  }
  annotate(*target, item);
  auto& node = make<ast::Forward>(item.name);
  node.target = target;
  node.repository_id = target->repository_id;
  contents.push_back(&node);
}

// A struct must be defined in the same unit (7.4.1.4.4.4.4); an interface only if it is used.
void Analyzer::check_forwards() {
  for (const auto& [declaration, where] : forwards_) {
    if (const auto* s = ast::as<ast::Struct>(declaration); s != nullptr && !s->defined) {
      diagnostics_.error(where, "struct '" + s->name + "' is declared but never defined");
    }
    const auto* i = ast::as<ast::Interface>(declaration);
    if (i == nullptr || i->defined) {
      continue;
    }
    if (const auto use = early_uses_.find(i); use != early_uses_.end()) {
      diagnostics_.error(where, "interface '" + i->name + "' is declared but never defined");
      diagnostics_.note(use->second, "it is used here");
    } else {
      diagnostics_.warning(where, "interface '" + i->name + "' is declared but never defined");
    }
  }
}

void Analyzer::annotate(ast::Declaration& node, const parse::Item& item) {
  if (item.stubs == parse::StubStyle::Unsaid) {
    return;
  }
  if (!ast::takes_stubs(node.kind)) {
    diagnostics_.warning(item.stubs_where, "a choice of stubs has no effect on " +
                                               std::string(ast::kind_name(node.kind)) + " '" + node.name + "'");
    return;
  }
  node.stubs = item.stubs == parse::StubStyle::Compiled ? ast::StubStyle::Compiled : ast::StubStyle::Interpreted;
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
    annotate(*target, item);
  } else if (item.what == parse::PragmaItem::What::Id) {
    ids_.set_id(*target, item);
  } else {
    ids_.set_version(*target, item);
  }
}

}  // namespace callis::idl::sema
