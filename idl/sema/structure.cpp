// SPDX-License-Identifier: Apache-2.0
// Questions about whole types: which structs and unions contain themselves, which types are local.
#include <idl/sema/analyzer.h>
#include <idl/sema/composite.h>
#include <algorithm>

namespace callis::idl::sema {

namespace {

// What the members of `t` are made of, sequences, arrays, maps and boxes opened.
std::vector<const ast::Type*> parts(const ast::Type& t, bool open_boxes) {
  std::vector<const ast::Type*> out;
  std::vector<const ast::Type*> open = member_types(t);
  while (!open.empty()) {
    const ast::Type& type = ast::strip_aliases(*open.back());
    open.pop_back();
    const auto elements = element_types(type);
    open.insert(open.end(), elements.begin(), elements.end());
    const auto* box = open_boxes ? ast::as<ast::ValueBox>(&type) : nullptr;
    if (box != nullptr) {
      open.push_back(box->type);
    } else if (elements.empty()) {
      out.push_back(&type);
    }
  }
  return out;
}

// The structs and unions inside `t`, by value or in sequences. What values hold is found at run time.
std::vector<const ast::Type*> inner_types(const ast::Type& t) {
  std::vector<const ast::Type*> out = parts(t, false);
  std::erase_if(out, [](const ast::Type* part) { return !is_composite(*part); });
  return out;
}

// Tarjan's strongly connected components (1972), without recursion: a struct or union is recursive if
// its component has others or an edge to itself.
class Cycles {
 public:
  std::unordered_set<const ast::Type*> recursive;

  void visit(const ast::Type& root) {
    if (nodes_.contains(&root)) {
      return;
    }
    open(root);
    while (!path_.empty()) {
      Step& step = path_.back();
      if (step.next < step.inner.size()) {
        const ast::Type* inner = step.inner[step.next++];
        if (inner == step.at) {
          recursive.insert(inner);
        }
        const auto known = nodes_.find(inner);
        if (known == nodes_.end()) {
          open(*inner);
        } else if (known->second.on_stack) {
          lower(step.at, known->second.index);
        }
      } else {
        close();
      }
    }
  }

 private:
  struct Node {
    std::size_t index;
    std::size_t low;
    bool on_stack;
  };
  struct Step {
    const ast::Type* at;
    std::vector<const ast::Type*> inner;
    std::size_t next = 0;
  };

  void open(const ast::Type& s) {
    const std::size_t index = nodes_.size();
    nodes_.emplace(&s, Node{index, index, true});
    stack_.push_back(&s);
    path_.push_back({&s, inner_types(s)});
  }

  void lower(const ast::Type* s, std::size_t index) {
    Node& node = nodes_.at(s);
    node.low = std::min(node.low, index);
  }

  void close() {
    const ast::Type* s = path_.back().at;
    const Node node = nodes_.at(s);
    path_.pop_back();
    if (!path_.empty()) {
      lower(path_.back().at, node.low);
    }
    if (node.low != node.index) {
      return;
    }
    const bool alone = stack_.back() == s;
    for (;;) {
      const ast::Type* member = stack_.back();
      stack_.pop_back();
      nodes_.at(member).on_stack = false;
      if (!alone) {
        recursive.insert(member);
      }
      if (member == s) {
        return;
      }
    }
  }

  std::unordered_map<const ast::Type*, Node> nodes_;
  std::vector<const ast::Type*> stack_;
  std::vector<Step> path_;
};

}  // namespace

// Only what is named before its end can lie on a cycle, or bring others onto one.
void Analyzer::mark_recursive() {
  if (diagnostics_.failed() || !any_early_use_) {
    return;
  }
  Cycles cycles;
  for (const ast::Struct* s : structs_) {
    cycles.visit(*s);
  }
  for (const ast::Union* u : unions_) {
    cycles.visit(*u);
  }
  for (ast::Struct* s : structs_) {
    s->recursive = cycles.recursive.contains(s);
  }
  for (ast::Union* u : unions_) {
    u->recursive = cycles.recursive.contains(u);
  }
}

// Local is what holds something local, through sequences too; so it is with references and values. From the types
// that do themselves to those that hold these.
void Analyzer::mark_holders() {
  const auto local = holders(&ast::is_local, true), references = holders(&ast::holds_references, false),
             values = holders(&ast::holds_values, false);
  const auto mark = [&](auto& node) {
    node.local = local.contains(&node);
    node.references = references.contains(&node);
    node.values = values.contains(&node);
  };
  std::for_each(structs_.begin(), structs_.end(), [&](ast::Struct* s) { mark(*s); });
  std::for_each(unions_.begin(), unions_.end(), [&](ast::Union* u) { mark(*u); });
}

// The structs and unions that hold what is such a thing, however deep.
std::unordered_set<const ast::Type*> Analyzer::holders(bool (*is)(const ast::Type&), bool open_boxes) const {
  std::unordered_map<const ast::Type*, std::vector<const ast::Type*>> holders;
  std::unordered_set<const ast::Type*> out;
  std::vector<const ast::Type*> open;
  const auto mark = [&](const ast::Type& t) {
    if (out.insert(&t).second) {
      open.push_back(&t);
    }
  };
  const auto look = [&](const ast::Type& t) {
    for (const ast::Type* part : parts(t, open_boxes)) {
      if (is_composite(*part)) {
        holders[part].push_back(&t);
      } else if (is(*part)) {
        mark(t);
      }
    }
  };
  std::for_each(structs_.begin(), structs_.end(), [&](const ast::Struct* s) { look(*s); });
  std::for_each(unions_.begin(), unions_.end(), [&](const ast::Union* u) { look(*u); });
  while (!open.empty()) {
    const ast::Type* t = open.back();
    open.pop_back();
    for (const ast::Type* holder : holders[t]) {
      mark(*holder);
    }
  }
  return out;
}

// Local types stay out of the operations and exceptions of unconstrained interfaces (7.4.6.4.3).
void Analyzer::check_local() {
  for (const Passed& passed : passed_) {
    if (!ast::is_local(*passed.type)) {
      continue;
    }
    const ast::Declaration* d = ast::declaration(*passed.type);
    if (passed.exception != nullptr) {
      d = passed.exception;
      diagnostics_.error(
          passed.where,
          "exception '" + d->name + "' holds something local and cannot be raised by an interface that is not");
    } else {
      const bool native = ast::strip_aliases(*passed.type).type_kind == ast::TypeKind::Native;
      diagnostics_.error(passed.where,
                         (d != nullptr ? "'" + d->name + "'" : std::string("this type")) +
                             (native ? " is native and can be passed and raised by local interfaces only"
                                     : " is local and cannot be passed by an interface that is not"));
    }
    if (d != nullptr) {
      note_declaration(*d);
    }
  }
}

}  // namespace callis::idl::sema
