// SPDX-License-Identifier: Apache-2.0
// A constraint as others see it: its names, bounds and requirements out of its tree.
#include <services/constraints/parser.h>

namespace callis::constraints {

namespace {

bool compares(Operator op) { return op >= Operator::Equal; }

Comparison comparison_of(Operator op) {
  return static_cast<Comparison>(static_cast<int>(op) - static_cast<int>(Operator::Equal));
}

// `5 < Cost` as a comparison of Cost.
Comparison turned(Comparison c) {
  switch (c) {
    case Comparison::Less: return Comparison::Greater;
    case Comparison::LessOrEqual: return Comparison::GreaterOrEqual;
    case Comparison::Greater: return Comparison::Less;
    case Comparison::GreaterOrEqual: return Comparison::LessOrEqual;
    default: return c;
  }
}

// A literal, also one behind `-`.
std::optional<Value> literal_of(const Tree& tree, std::uint32_t at) {
  const Node& n = tree.nodes[at];
  if (n.op == Operator::Literal) return n.literal;
  if (n.op != Operator::Negate || tree.nodes[n.left].op != Operator::Literal) return std::nullopt;
  struct None final : Properties {
    Value get(std::size_t) const override { return {}; }
  } const none;
  Work work;
  const Value v = evaluate(tree, at, none, work);
  return v.is_missing() ? std::nullopt : std::optional(v);
}

// Calls f(node) for each part of `and` at the top.
template<class F>
void each_part(const Tree& tree, const F& f) {
  if (tree.nodes.empty()) return;
  std::vector<std::uint32_t> open = {static_cast<std::uint32_t>(tree.nodes.size() - 1)};
  while (!open.empty()) {
    const Node& n = tree.nodes[open.back()];
    open.pop_back();
    if (n.op == Operator::And) {
      open.push_back(n.right);
      open.push_back(n.left);
    } else {
      f(n);
    }
  }
}

void add_required(const Tree& tree, const Node& top, std::vector<bool>& needed) {
  std::vector<const Node*> open = {&top};
  while (!open.empty()) {
    const Node& n = *open.back();
    open.pop_back();
    switch (n.op) {
      case Operator::Literal:
      case Operator::Or: break;
      // `not exist Cost`, and what has an `or` or an `and` in it, ask for nothing.
      case Operator::Not:
        if (tree.nodes[n.left].op == Operator::Name) needed[tree.nodes[n.left].left] = true;
        break;
      case Operator::Name:
      case Operator::Exist: needed[n.left] = true; break;
      case Operator::In:
        needed[n.right] = true;
        open.push_back(&tree.nodes[n.left]);
        break;
      case Operator::Negate: open.push_back(&tree.nodes[n.left]); break;
      case Operator::And:
        if (&n != &top) break;
        [[fallthrough]];
      default:
        // Operands that are booleans of their own may be false without their properties.
        for (const std::uint32_t operand : {n.left, n.right}) {
          const Node& o = tree.nodes[operand];
          if (o.op == Operator::Exist || o.op == Operator::Not || o.op == Operator::And) continue;
          open.push_back(&o);
        }
    }
  }
}

}  // namespace

Constraint::Constraint() : tree_(std::make_shared<const Tree>()) {}
Constraint::Constraint(std::shared_ptr<const Tree> tree) : tree_(std::move(tree)) {}

Constraint Constraint::parse(std::string_view text, const ParseOptions& options) {
  Parser parser(text, options);
  if (parser.token().word != Word::End) parser.expression(Type::Boolean, "a constraint");
  return Constraint(parser.tree());
}

Verdict Constraint::decide(const Properties& properties, Work& work) const {
  if (tree_->nodes.empty()) return Verdict::True;
  const Value v = evaluate(*tree_, static_cast<std::uint32_t>(tree_->nodes.size() - 1), properties, work);
  if (v.kind() != Kind::Boolean) return Verdict::Undefined;
  return v.boolean() ? Verdict::True : Verdict::False;
}

bool Constraint::is_empty() const { return tree_->nodes.empty(); }
const std::vector<std::string>& Constraint::names() const { return tree_->names; }
const std::string& Constraint::text() const { return tree_->text; }

std::vector<Bound> Constraint::bounds() const {
  std::vector<Bound> out;
  each_part(*tree_, [&](const Node& n) {
    if (n.op == Operator::Name) out.push_back({n.left, Comparison::Equal, Value::boolean(true)});
    if (!compares(n.op)) return;
    const Node &left = tree_->nodes[n.left], &right = tree_->nodes[n.right];
    if (left.op == Operator::Name) {
      if (const auto v = literal_of(*tree_, n.right)) out.push_back({left.left, comparison_of(n.op), *v});
    } else if (right.op == Operator::Name) {
      if (const auto v = literal_of(*tree_, n.left)) out.push_back({right.left, turned(comparison_of(n.op)), *v});
    }
  });
  return out;
}

std::vector<std::size_t> Constraint::required() const {
  std::vector<bool> needed(tree_->names.size());
  each_part(*tree_, [&](const Node& n) { add_required(*tree_, n, needed); });
  std::vector<std::size_t> out;
  for (std::size_t i = 0; i < needed.size(); ++i) {
    if (needed[i]) out.push_back(i);
  }
  return out;
}

}  // namespace callis::constraints
