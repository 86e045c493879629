// SPDX-License-Identifier: Apache-2.0
// Param_Test, and sequences of every primitive: with 0, 1, a few and very many elements.
#include "swap_values.h"
#include <vector>

namespace interop {

namespace {

std::vector<Size> sizes(unsigned up_to) {
  if (up_to > 1000) return {up_to};
  return {0, 1, 2, 9, 100};
}

// Bulk's eleven operations differ in nothing but the type.
#define EXCHANGE_BULK(T, op) \
  exchange_variable<Interop::T, Interop::T##_var>( \
      session, #op, n, [&](auto& a, auto& b, auto& c) { return bulk->op(a, b, c.out()); })

}  // namespace

void check_params(Session& session, unsigned up_to) {
  using P = Param_Test;
  const Param_Test_var p = session.reference<Param_Test>("param");
  exchange_scalar<CORBA::Short>(session, "test_short", [&](CORBA::Short a, CORBA::Short& b, CORBA::Short& c) {
    return p->test_short(a, b, c);
  });
  for (const Size n : sizes(up_to)) {
    exchange_string(session, "test_unbounded_string", n,
                    [&](const char* a, CORBA::String_var& b, CORBA::String_var& c) {
                      return p->test_unbounded_string(a, b.inout(), c.out());
                    });
    exchange_fixed<P::Fixed_Struct>(session, "test_fixed_struct", n,
                                    [&](auto& a, auto& b, auto& c) { return p->test_fixed_struct(a, b, c); });
    exchange_variable<P::StrSeq, P::StrSeq_var>(
        session, "test_strseq", n, [&](auto& a, auto& b, auto& c) { return p->test_strseq(a, b, c.out()); });
    exchange_variable<P::Var_Struct, P::Var_Struct_var>(
        session, "test_var_struct", n, [&](auto& a, auto& b, auto& c) { return p->test_var_struct(a, b, c.out()); });
    exchange_variable<P::Nested_Struct, P::Nested_Struct_var>(session, "test_nested_struct", n,
                                                              [&](auto& a, auto& b, auto& c) {
                                                                return p->test_nested_struct(a, b, c.out());
                                                              });
    exchange_variable<P::StructSeq, P::StructSeq_var>(session, "test_struct_sequence", n,
                                                      [&](auto& a, auto& b, auto& c) {
                                                        return p->test_struct_sequence(a, b, c.out());
                                                      });
  }
}

void check_bulk(Session& session, unsigned up_to) {
  const Interop::Bulk_var bulk = session.reference<Interop::Bulk>("bulk");
  for (const Size n : sizes(up_to)) {
    EXCHANGE_BULK(Booleans, b_booleans);
    EXCHANGE_BULK(Chars, b_chars);
    EXCHANGE_BULK(Octets, b_octets);
    EXCHANGE_BULK(Shorts, b_shorts);
    EXCHANGE_BULK(UShorts, b_ushorts);
    EXCHANGE_BULK(Longs, b_longs);
    EXCHANGE_BULK(ULongs, b_ulongs);
    EXCHANGE_BULK(LongLongs, b_longlongs);
    EXCHANGE_BULK(ULongLongs, b_ulonglongs);
    EXCHANGE_BULK(Floats, b_floats);
    EXCHANGE_BULK(Doubles, b_doubles);
  }
}

}  // namespace interop
