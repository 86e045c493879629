// SPDX-License-Identifier: Apache-2.0
// The server's side of an operation `T op(in T a, inout T b, out T c)`, for each way in which the mapping
// passes a T: check a and b, then make b, c and the result.
#pragma once
#include "journal.h"
#include "values.h"

namespace interop {

class Exchange {
 public:
  explicit Exchange(Journal& journal) : journal_(journal) {}

  // Primitives and enums: the size is the index of the value among its type's edges.
  template <class T>
  T scalar(const char* op, T a, T& b, T& c) {
    journal_.upcall();
    const Size n = index_of(a);
    journal_.expect(n < edge_count<T>(), op, "in");
    journal_.expect(identical(b, pick<T>(n + kInout)), op, "inout");
    b = pick<T>(n + kBack);
    c = pick<T>(n + kOut);
    return pick<T>(n + kResult);
  }

  // Structs of fixed length.
  template <class T>
  T fixed(const char* op, const T& a, T& b, T& c) {
    const Size n = check(op, a, b);
    make(b, n, kBack);
    make(c, n, kOut);
    T r;
    make(r, n, kResult);
    return r;
  }

  // Structs of variable length and sequences.
  template <class T, class Out>
  T* variable(const char* op, const T& a, T& b, Out& c) {
    const Size n = check(op, a, b);
    make(b, n, kBack);
    c = made<T>(n, kOut);
    return made<T>(n, kResult);
  }

  template <class Out>
  char* string(const char* op, const char* a, char*& b, Out& c) {
    journal_.upcall();
    const std::string in(a);
    const Size n = Size(in.size());
    journal_.expect(in == text(n, kIn), op, "in: " + in.substr(0, 40));
    journal_.expect(text(n, kInout) == b, op, "inout: " + std::string(b).substr(0, 40));
    CORBA::string_free(b);
    b = CORBA::string_dup(text(n, kBack).c_str());
    c = CORBA::string_dup(text(n, kOut).c_str());
    return CORBA::string_dup(text(n, kResult).c_str());
  }

  Journal& journal() { return journal_; }

 private:
  // The size, at most what a client of ours sends: not every client is.
  template <class T>
  Size check(const char* op, const T& a, const T& b) {
    journal_.upcall();
    const Size n = size_of(a);
    const std::string of = " of size " + std::to_string(n);
    if (n > kLargest<T>) {
      journal_.expect(false, op, "in" + of);
      return 0;
    }
    journal_.expect(same(a, n, kIn), op, "in" + of);
    journal_.expect(same(b, n, kInout), op, "inout" + of);
    return n;
  }
  template <class T>
  static T* made(Size n, Role role) {
    T* x = new T;
    make(*x, n, role);
    return x;
  }

  Journal& journal_;
};

}  // namespace interop
