// SPDX-License-Identifier: Apache-2.0
// Finding recursive structs.
#include <idl/sema/analyzer.h>
#include <algorithm>

namespace callis::idl::sema {

namespace {

// The structs inside `s`, by value or in sequences.
std::vector<const ast::Struct*> inner_structs(const ast::Struct& s) {
  std::vector<const ast::Struct*> out;
  for (const ast::Member* member : s.members) {
    const ast::Type* type = &ast::strip_aliases(*member->type);
    for (;;) {
      if (const auto* sequence = ast::as<ast::SequenceType>(type)) {
        type = &ast::strip_aliases(*sequence->element);
      } else if (const auto* array = ast::as<ast::ArrayType>(type)) {
        type = &ast::strip_aliases(*array->element);
      } else {
        break;
      }
    }
    if (const auto* inner = ast::as<ast::Struct>(type)) {
      out.push_back(inner);
    }
  }
  return out;
}

// Tarjan's strongly connected components (1972), without recursion: a struct is recursive if its
// component has other structs or an edge to itself.
class Cycles {
 public:
  std::unordered_set<const ast::Struct*> recursive;

  void visit(const ast::Struct& root) {
    if (nodes_.contains(&root)) {
      return;
    }
    open(root);
    while (!path_.empty()) {
      Step& step = path_.back();
      if (step.next < step.inner.size()) {
        const ast::Struct* inner = step.inner[step.next++];
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
    const ast::Struct* at;
    std::vector<const ast::Struct*> inner;
    std::size_t next = 0;
  };

  void open(const ast::Struct& s) {
    const std::size_t index = nodes_.size();
    nodes_.emplace(&s, Node{index, index, true});
    stack_.push_back(&s);
    path_.push_back({&s, inner_structs(s)});
  }

  void lower(const ast::Struct* s, std::size_t index) {
    Node& node = nodes_.at(s);
    node.low = std::min(node.low, index);
  }

  void close() {
    const ast::Struct* s = path_.back().at;
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
      const ast::Struct* member = stack_.back();
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

  std::unordered_map<const ast::Struct*, Node> nodes_;
  std::vector<const ast::Struct*> stack_;
  std::vector<Step> path_;
};

}  // namespace

// Only a struct that is named before its end can lie on a cycle, or bring others onto one.
void Analyzer::mark_recursive() {
  if (diagnostics_.failed() || !any_early_use_) {
    return;
  }
  Cycles cycles;
  for (const ast::Struct* s : structs_) {
    cycles.visit(*s);
  }
  for (ast::Struct* s : structs_) {
    s->recursive = cycles.recursive.contains(s);
  }
}

}  // namespace callis::idl::sema
