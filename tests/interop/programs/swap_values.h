// SPDX-License-Identifier: Apache-2.0
// The client's side of an operation `T op(in T a, inout T b, out T c)`: see exchange.h for the server's.
#pragma once
#include "session.h"
#include "values.h"

namespace interop {

// Primitives and enums, over all edges.
template <class T, class Call>
void exchange_scalar(Session& session, const char* op, Call call) {
  for (Size i = 0; i < edge_count<T>(); ++i) {
    session.about(std::string(op) + " edge " + std::to_string(i));
    T b = pick<T>(i + kInout), c = pick<T>(i);
    const T r = call(pick<T>(i + kIn), b, c);
    CHECK(identical(b, pick<T>(i + kBack)));
    CHECK(identical(c, pick<T>(i + kOut)));
    CHECK(identical(r, pick<T>(i + kResult)));
  }
  session.about("");
}

template <class T, class Call>
void exchange_fixed(Session& session, const char* op, Size n, Call call) {
  session.about(std::string(op) + " size " + std::to_string(n));
  T a, b, c;
  make(a, n, kIn);
  make(b, n, kInout);
  const T r = call(a, b, c);
  CHECK(same(a, n, kIn));
  CHECK(same(b, n, kBack));
  CHECK(same(c, n, kOut));
  CHECK(same(r, n, kResult));
  session.about("");
}

// T_var is the mapping's holder of a T*.
template <class T, class T_var, class Call>
void exchange_variable(Session& session, const char* op, Size n, Call call) {
  session.about(std::string(op) + " size " + std::to_string(n));
  T a, b;
  make(a, n, kIn);
  make(b, n, kInout);
  T_var c;
  const T_var r = call(a, b, c);
  CHECK(same(a, n, kIn));
  CHECK(same(b, n, kBack));
  CHECK(same(c.in(), n, kOut));
  CHECK(same(r.in(), n, kResult));
  session.about("");
}

template <class Call>
void exchange_string(Session& session, const char* op, Size n, Call call) {
  session.about(std::string(op) + " length " + std::to_string(n));
  const std::string a = text(n, kIn);
  CORBA::String_var b = text(n, kInout).c_str();
  CORBA::String_var c;
  const CORBA::String_var r = call(a.c_str(), b, c);
  CHECK(text(n, kBack) == b.in());
  CHECK(text(n, kOut) == c.in());
  CHECK(text(n, kResult) == r.in());
  session.about("");
}

}  // namespace interop
