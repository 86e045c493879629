// SPDX-License-Identifier: Apache-2.0
// Constraint: an expression of the OMG's standard constraint language (Trading Object Service 1.0, annex B) that is
// true or not of a set of properties. Also for logs' queries and for filters.
//
//   Constraint c = Constraint::parse("Cost < 10 and 'red' in Colours", {.type_of = declared});
//   c.names()                     "Cost", "Colours"
//   c.matches(properties, work)   asks properties.get(0), properties.get(1)
//
// What is no value of an expression's type, a missing property, a division by zero, a number that overflows: makes
// the expression undefined. `and` is false where one side is false, `or` true where one side is true, whatever the
// other; otherwise what has an undefined part is undefined. An undefined constraint does not match.
#pragma once
#include <services/constraints/limits.h>
#include <services/constraints/properties.h>
#include <services/constraints/refused.h>
#include <services/constraints/type.h>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace callis::constraints {

class Tree;

struct ParseOptions {
  Limits limits{};
  TypeOf type_of{};  // called once for each name
  // The names of the extended language (Notification Service 1.1, 2.4): `$` and what follows, as `$.info.level`,
  // `$priority`, `$.list[2]`, `$(name)`: one name, to which Properties give a meaning. Also `-` before any factor.
  bool paths = false;
};

enum class Comparison : std::uint8_t { Equal, Unequal, Less, LessOrEqual, Greater, GreaterOrEqual };

enum class Verdict : std::uint8_t { False, True, Undefined };

// `name comparison literal`.
struct Bound {
  std::size_t name;
  Comparison comparison;
  Value literal;  // lives as long as the constraint
};

// A value; copies share one tree, which never changes. Any thread.
class Constraint {
 public:
  // Always true, as the empty text.
  Constraint();
  // Throws Refused: the grammar, the types, the limits.
  static Constraint parse(std::string_view text, const ParseOptions& options = {});

  // False where it is undefined. Throws WorkExhausted, and what properties throw.
  bool matches(const Properties& properties, Work& work) const { return decide(properties, work) == Verdict::True; }
  // The same, with what is undefined told apart: a value more may yet decide that, and nothing else.
  Verdict decide(const Properties& properties, Work& work) const;
  bool is_empty() const;  // no expression: it is true

  // In the order of their first use. The index is what Properties are asked by.
  const std::vector<std::string>& names() const;
  // What holds of all that matches: the comparisons of a name with a literal, parts of `and` at the top. For indexes.
  std::vector<Bound> bounds() const;
  // Names whose property must be there in all that matches.
  std::vector<std::size_t> required() const;
  const std::string& text() const;

 private:
  explicit Constraint(std::shared_ptr<const Tree> tree);
  std::shared_ptr<const Tree> tree_;
};

}  // namespace callis::constraints
