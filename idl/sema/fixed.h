// SPDX-License-Identifier: Apache-2.0
// Arithmetic of fixed-point constants (IDL 4.2, 7.4.1.4.3): exact, except that a result of more than 31 digits loses
// those at the end of its fraction, without rounding.
#pragma once
#include <idl/ast/nodes.h>
#include <optional>

namespace callis::idl::sema {

inline constexpr std::size_t kFixedDigits = 31;

// Nothing where the whole part would have more than 31 digits.
std::optional<ast::FixedValue> fixed_sum(const ast::FixedValue& a, const ast::FixedValue& b);
std::optional<ast::FixedValue> fixed_product(const ast::FixedValue& a, const ast::FixedValue& b);
// `b` is not zero.
std::optional<ast::FixedValue> fixed_quotient(const ast::FixedValue& a, const ast::FixedValue& b);

ast::FixedValue negated(ast::FixedValue value);
bool is_zero(const ast::FixedValue& value);

}  // namespace callis::idl::sema
