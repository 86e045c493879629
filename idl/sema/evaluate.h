// SPDX-License-Identifier: Apache-2.0
// Constant expressions (IDL 4.2, 7.4.1.4.3).
//
// Integers are computed exactly; every subexpression must lie in -2^63 … 2^64-1, the result in the
// range of its type. `~` and `>>` see a two's complement number of 64 bits for a 64-bit type and of
// 32 bits for the others: `~x` is -(x+1) for a signed type and 2^n-1-x for an unsigned one, `>>`
// fills with zeros. In a floating-point constant integers count as floating-point numbers. Floating-point numbers are
// computed in long double for a long double, in double for the others, fixed-point ones as fixed.h says.
#pragma once
#include <idl/ast/nodes.h>
#include <idl/parse/tree.h>
#include <idl/source/diagnostics.h>
#include <functional>
#include <optional>

namespace callis::idl::sema {

// The declaration a name in an expression stands for; null after a report.
using ResolveName = std::function<const ast::Declaration*(const parse::ScopedName&)>;

class Evaluator {
 public:
  Evaluator(source::Diagnostics& diagnostics, ResolveName resolve)
      : diagnostics_(diagnostics), resolve_(std::move(resolve)) {}

  // The value of `e` as a constant of `type`, in the form ast::Value prescribes; nothing after a
  // report.
  std::optional<ast::Value> evaluate(const parse::Expression& e, const ast::Type& type);

  // A bound or array size: 1 … 2^32-1.
  std::optional<std::uint32_t> positive(const parse::Expression& e, std::string_view what);
  // An integer from `least` to `most`.
  std::optional<std::uint32_t> between(const parse::Expression& e, std::string_view what, std::uint32_t least,
                                       std::uint32_t most);

 private:
  __extension__ using Wide = __int128;
  // An intermediate value: an integer, a floating-point or fixed-point number, or a value that takes part in no
  // arithmetic.
  using Operand = std::variant<Wide, long double, ast::FixedValue, ast::Value>;
  // What the type of the constant makes of subexpressions.
  struct Width {
    int bits;
    bool is_signed;
    bool floating;  // integers become floating-point numbers
    bool long_double;
  };

  std::optional<Operand> compute(const parse::Expression& e, Width width);
  std::optional<Operand> name(const parse::ScopedName& n, Width width);
  std::optional<Operand> unary(const parse::Expression& e, const parse::Expression::Unary& u,
                               Width width);
  std::optional<Operand> binary(const parse::Expression& e, const parse::Expression::Binary& b,
                                Width width);
  std::optional<Wide> integer(const parse::Expression::Binary& b, Wide left, Wide right,
                              Width width);
  std::optional<Wide> shift(const parse::Expression::Binary& b, Wide left, Wide right,
                            Width width);
  std::optional<Operand> floating(const parse::Expression& e,
                                  const parse::Expression::Binary& b, long double left,
                                  long double right, Width width);
  std::optional<Operand> fixed(const parse::Expression::Binary& b, const ast::FixedValue& left,
                               const ast::FixedValue& right);
  Operand number(Wide value, Width width) const;
  std::optional<Operand> in_range(const parse::Expression& e, Wide value);

  std::optional<ast::Value> to_integer(const parse::Expression& e, const Operand& value,
                                       const ast::Type& type);
  std::optional<ast::Value> to_floating(const parse::Expression& e, const Operand& value,
                                        const ast::Type& type);
  std::optional<ast::Value> to_fixed(const parse::Expression& e, const Operand& value, const ast::Type& type);
  template <class T>
  std::optional<ast::Value> to_plain(const parse::Expression& e, const Operand& value,
                                     const ast::Type& type);
  std::optional<ast::Value> to_enumerator(const parse::Expression& e, const Operand& value,
                                          const ast::Type& type);
  template <class Text>
  std::optional<ast::Value> to_text(const parse::Expression& e, const Operand& value,
                                    const ast::Type& type);
  std::nullopt_t mismatch(const parse::Expression& e, const Operand& value, const ast::Type& type);
  std::nullopt_t error(const source::Range& where, std::string text);

  source::Diagnostics& diagnostics_;
  ResolveName resolve_;
};

}  // namespace callis::idl::sema
