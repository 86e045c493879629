// SPDX-License-Identifier: Apache-2.0
// Every kind of type: primitives at their edges, enums, arrays, bounded types, nesting, recursion.
#include "swap_values.h"

namespace interop {

namespace {

#define EXCHANGE_SCALAR(T, op) \
  exchange_scalar<T>(session, #op, [&](T a, T& b, T& c) { return types->op(a, b, c); })
#define EXCHANGE_VARIABLE(T, op, n) \
  exchange_variable<Interop::T, Interop::T##_var>( \
      session, #op, n, [&](auto& a, auto& b, auto& c) { return types->op(a, b, c.out()); })

void scalars(Session& session, Interop::Types_ptr types) {
  EXCHANGE_SCALAR(CORBA::Boolean, t_boolean);
  EXCHANGE_SCALAR(CORBA::Char, t_char);
  EXCHANGE_SCALAR(CORBA::Octet, t_octet);
  EXCHANGE_SCALAR(CORBA::Short, t_short);
  EXCHANGE_SCALAR(CORBA::UShort, t_ushort);
  EXCHANGE_SCALAR(CORBA::Long, t_long);
  EXCHANGE_SCALAR(CORBA::ULong, t_ulong);
  EXCHANGE_SCALAR(CORBA::LongLong, t_longlong);
  EXCHANGE_SCALAR(CORBA::ULongLong, t_ulonglong);
  EXCHANGE_SCALAR(CORBA::Float, t_float);
  EXCHANGE_SCALAR(CORBA::Double, t_double);
  EXCHANGE_SCALAR(Interop::Colour, t_colour);
}

// Fixed-length arrays: out is filled in place.
template <class Slice, class Var, class Fields, class Call>
void exchange_array(Session& session, const char* op, Size n, Fields fields_of, Call call) {
  session.about(std::string(op) + " size " + std::to_string(n));
  Make maker;
  Var a(Fields::alloc()), b(Fields::alloc()), c(Fields::alloc());
  fields_of(maker, a.inout(), n, kIn);
  fields_of(maker, b.inout(), n, kInout);
  Var r(call(a, b, c));
  Check back, out, result;
  fields_of(back, b.inout(), n, kBack);
  fields_of(out, c.inout(), n, kOut);
  fields_of(result, r.inout(), n, kResult);
  CHECK(back.same);
  CHECK(out.same);
  CHECK(result.same);
  session.about("");
}

struct MatrixFields {
  static Interop::Matrix_slice* alloc() { return Interop::Matrix_alloc(); }
  template <class V>
  void operator()(V& v, Interop::Matrix_slice* m, Size n, Role r) const {
    matrix(v, m, n, r);
  }
};
struct PaletteFields {
  static Interop::Palette_slice* alloc() { return Interop::Palette_alloc(); }
  template <class V>
  void operator()(V& v, Interop::Palette_slice* m, Size n, Role r) const {
    palette(v, m, n, r);
  }
};
struct TriangleFields {
  static Interop::Triangle_slice* alloc() { return Interop::Triangle_alloc(); }
  template <class V>
  void operator()(V& v, Interop::Triangle_slice* m, Size n, Role r) const {
    triangle(v, m, n, r);
  }
};

void arrays(Session& session, Interop::Types_ptr types) {
  for (const Size n : {0u, 1u, 5u}) {
    exchange_array<Interop::Matrix_slice, Interop::Matrix_var>(
        session, "t_matrix", n, MatrixFields(),
        [&](auto& a, auto& b, auto& c) { return types->t_matrix(a.in(), b.inout(), c.out()); });
    exchange_array<Interop::Palette_slice, Interop::Palette_var>(
        session, "t_palette", n, PaletteFields(),
        [&](auto& a, auto& b, auto& c) { return types->t_palette(a.in(), b.inout(), c.out()); });
    exchange_array<Interop::Triangle_slice, Interop::Triangle_var>(
        session, "t_triangle", n, TriangleFields(),
        [&](auto& a, auto& b, auto& c) { return types->t_triangle(a.in(), b.inout(), c.out()); });
  }
}

// Variable-length elements: out is allocated by the stub.
void string_arrays(Session& session, Interop::Types_ptr types) {
  for (const Size n : {0u, 1u, 50u}) {
    session.about("t_names size " + std::to_string(n));
    Interop::Names a, b;
    Make maker;
    names(maker, a, n, kIn);
    names(maker, b, n, kInout);
    Interop::Names_var c;
    Interop::Names_var r = types->t_names(a, b, c.out());
    Check back, out, result;
    names(back, b, n, kBack);
    names(out, c.inout(), n, kOut);
    names(result, r.inout(), n, kResult);
    CHECK(back.same);
    CHECK(out.same);
    CHECK(result.same);
    session.about("");
  }
}

void constructed(Session& session, Interop::Types_ptr types) {
  for (const Size n : {0u, 1u, 7u}) {
    exchange_fixed<Interop::Primitives>(session, "t_primitives", n,
                                        [&](auto& a, auto& b, auto& c) { return types->t_primitives(a, b, c); });
    EXCHANGE_VARIABLE(Colours, t_colours, n);
    EXCHANGE_VARIABLE(Curves, t_curves, n);
    EXCHANGE_VARIABLE(Medley, t_medley, n);
    EXCHANGE_VARIABLE(Medleys, t_medleys, n);
  }
  EXCHANGE_VARIABLE(Medleys, t_medleys, 60);
  EXCHANGE_VARIABLE(Curves, t_curves, 1000);
  for (const Size n : {0u, 1u, 2u, 5u}) EXCHANGE_VARIABLE(Tree, t_tree, n);
}

void bounded(Session& session, Interop::Types_ptr types) {
  for (Size n = 0; n <= Size(Interop::kFew); ++n) {
    EXCHANGE_VARIABLE(FewLongs, t_few_longs, n);
    EXCHANGE_VARIABLE(FewNames, t_few_names, n);
  }
  for (const Size n : {0u, 1u, Size(Interop::kShortName)})
    exchange_string(session, "t_short_name", n, [&](const char* a, CORBA::String_var& b, CORBA::String_var& c) {
      return types->t_short_name(a, b.inout(), c.out());
    });
  // One character too many must not reach the servant.
  bool refused = false;
  try {
    CORBA::String_var b = "", c;
    const CORBA::String_var r = types->t_short_name(text(Interop::kShortName + 1, kIn).c_str(), b.inout(), c.out());
  } catch (const CORBA::SystemException&) {
    refused = true;
  }
  CHECK(refused);
}

void mixed(Session& session, Interop::Types_ptr types) {
  for (const Size n : {0u, 1u, 2u, 3u, 4u, 5u, 6u, 7u, 8u}) {
    CORBA::Octet g = 0;
    CORBA::Double h = 0;
    CORBA::Char i = 0;
    CORBA::Short j = 0;
    const CORBA::Double r = types->t_mixed(7, 1.5, true, -9, text(n, kIn).c_str(), -2.25, g, h, i, j);
    CHECK(r == 6.0625 && g == 200 && h == double(n) && i == 'm' && j == -300);
  }
}

}  // namespace

void check_types(Session& session) {
  const Interop::Types_var types = session.reference<Interop::Types>("types");
  scalars(session, types.in());
  arrays(session, types.in());
  string_arrays(session, types.in());
  constructed(session, types.in());
  bounded(session, types.in());
  mixed(session, types.in());
}

}  // namespace interop
