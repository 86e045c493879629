// SPDX-License-Identifier: Apache-2.0
// Tree: an expression as nodes in a row, operands before their operators. Never changes once it is made.
#pragma once
#include <services/constraints/constraint.h>
#include <deque>

namespace callis::constraints {

enum class Operator : std::uint8_t {
  Literal,
  Name,
  And,
  Or,
  Not,
  Exist,
  In,
  Matches,
  Negate,
  Add,
  Subtract,
  Multiply,
  Divide,
  Equal,
  Unequal,
  Less,
  LessOrEqual,
  Greater,
  GreaterOrEqual,  // in the order of Comparison
};

struct Node {
  Operator op = Operator::Literal;
  Type type = Type::Unknown;          // of the result
  std::uint32_t left = 0, right = 0;  // operands; left of Name, Exist and right of In: the name
  Value literal;
};

class Tree final {
 public:
  std::string text;
  std::vector<std::string> names;
  std::vector<Node> nodes;        // the last is the root; none: the empty text
  std::deque<std::string> texts;  // of literals

  const Node& root() const { return nodes.back(); }
};

// Evaluates the node. Missing: undefined. Throws as Constraint::matches() does.
Value evaluate(const Tree& tree, std::uint32_t node, const Properties& properties, Work& work);

}  // namespace callis::constraints
