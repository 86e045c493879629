// SPDX-License-Identifier: Apache-2.0
// Unions, fixed, and wide characters.
#include "swap_values.h"

namespace interop {

namespace {

#define EXCHANGE_VARIABLE_WITH(object, T, op, n) \
  exchange_variable<Interop::T, Interop::T##_var>( \
      session, #op, n, [&](auto& a, auto& b, auto& c) { return object->op(a, b, c.out()); })
#define EXCHANGE_FIXED_WITH(object, T, op, n) \
  exchange_fixed<Interop::T>(session, #op, n, [&](auto& a, auto& b, auto& c) { return object->op(a, b, c); })

}  // namespace

void check_variants(Session& session) {
  const Interop::Variants_var variants = session.reference<Interop::Variants>("variants");
  for (Size n = 0; n < 13; ++n) {
    EXCHANGE_VARIABLE_WITH(variants, Choice, v_choice, n);
    EXCHANGE_FIXED_WITH(variants, Maybe, v_maybe, n);
  }
  for (const Size n : {0u, 2u, 4u, 56u}) EXCHANGE_FIXED_WITH(variants, Amount, v_amount, n);
  for (const Size n : {0u, 1u, 9u, 100u}) {
    EXCHANGE_VARIABLE_WITH(variants, Amounts, v_amounts, n);
    EXCHANGE_VARIABLE_WITH(variants, Tickets, v_tickets, n);
  }
}

void check_wide(Session& session) {
  const Interop::Wide_var object = session.reference<Interop::Wide>("wide");
  for (const Size n : {0u, 1u, 2u, 9u, 100u}) {
    EXCHANGE_VARIABLE_WITH(object, WStrings, w_strings, n);
    EXCHANGE_VARIABLE_WITH(object, WChars, w_chars, n);
    EXCHANGE_VARIABLE_WITH(object, BroadPair, w_pair, n);
    session.about("w_string length " + std::to_string(n));
    const std::wstring a = wide_text(n, kIn);
    CORBA::WString_var b = CORBA::wstring_dup(wide_text(n, kInout).c_str()), c;
    const CORBA::WString_var r = object->w_string(a.c_str(), b.inout(), c.out());
    CHECK(wide_text(n, kBack) == b.in());
    CHECK(wide_text(n, kOut) == c.in());
    CHECK(wide_text(n, kResult) == r.in());
    session.about("");
  }
}

}  // namespace interop
