// SPDX-License-Identifier: Apache-2.0
// What every argument must be.
//
// A value follows from its type, a size n and its role. The sender makes it, the receiver finds n in the
// value itself (size_of) and compares all of it. Each role gives other values, so that a result which is
// an argument sent back, or two arguments exchanged, is found out.
//
// Each type is described once, by a function fields(visitor, value, n, role): the visitor Make assigns,
// the visitor Check compares.
#pragma once
#include "mapping.h"
#include <array>
#include <cstring>
#include <limits>
#include <string>
#include <type_traits>

namespace interop {

using Size = CORBA::ULong;

enum Role : Size { kIn = 0, kInout = 1, kBack = 2, kOut = 3, kResult = 4 };  // kBack: inout on its way back

// ---- primitives: tables of values at the edges ----

template <class T>
struct Edges;

template <class T>
  requires(std::is_integral_v<T> && std::is_signed_v<T> && sizeof(T) > 1)
struct Edges<T> {
  using L = std::numeric_limits<T>;
  static constexpr std::array<T, 8> values{0, 1, L::max(), L::min(), T(L::max() - 1), T(L::min() + 1),
                                           T(0x5a5a5a5a5a5a5a5aULL), T(0xa1b2c3d4e5f60718ULL)};
};

template <class T>
  requires(std::is_integral_v<T> && std::is_unsigned_v<T> && sizeof(T) > 1)
struct Edges<T> {
  using L = std::numeric_limits<T>;
  static constexpr std::array<T, 7> values{0, 1, L::max(), L::max() - 1, L::max() / 2, L::max() / 2 + 1,
                                           T(0xa1b2c3d4e5f60718ULL)};
};

template <class T>
  requires std::is_floating_point_v<T>
struct Edges<T> {
  using L = std::numeric_limits<T>;
  static constexpr std::array<T, 10> values{T(0), T(-0.0), T(1), L::max(), L::lowest(), L::min(),
                                            L::denorm_min(), L::infinity(), -L::infinity(), T(-1.25)};
};

template <>
struct Edges<bool> {
  static constexpr std::array<bool, 2> values{false, true};
};

// Octets and characters, which are one type in one ORB and two in the other. Above 0x7f they stand for ISO
// 8859-1 characters: the code set that both sides have by default.
template <class T>
  requires(std::is_same_v<T, char> || std::is_same_v<T, unsigned char>)
struct Edges<T> {
  static constexpr std::array<T, 8> values{0, 1, 'a', '~', 0x7f, T(0x80), T(0xff), T(0xa5)};
};

template <>
struct Edges<Interop::Colour> {
  static constexpr std::array<Interop::Colour, 6> values{Interop::red,   Interop::orange, Interop::yellow,
                                                         Interop::green, Interop::blue,   Interop::violet};
};

template <class T>
constexpr T pick(Size i) {
  return Edges<T>::values[i % Edges<T>::values.size()];
}
template <class T>
constexpr Size edge_count() {
  return Size(Edges<T>::values.size());
}
// Bit for bit: -0.0 is not 0.0.
template <class T>
bool identical(const T& a, const T& b) {
  return std::memcmp(&a, &b, sizeof(T)) == 0;
}
template <class T>
Size index_of(const T& value) {
  for (Size i = 0; i < edge_count<T>(); ++i)
    if (identical(Edges<T>::values[i], value)) return i;
  return edge_count<T>();  // no such edge: every comparison will fail
}

// ---- strings ----

inline std::string text(Size n, Size salt) {
  std::string s(n, ' ');
  for (Size i = 0; i < n; ++i) s[i] = char('!' + (i * 7 + salt * 13 + n) % 90);
  return s;
}

// A string in any of the mapping's guises: char*, String_var, member, element.
template <class S>
const char* chars(const S& s) {
  const char* p = s;
  return p;
}

// ---- visitors ----

struct Make {
  static constexpr bool making = true;
  template <class T>
  void scalar(T& x, T value) {
    x = value;
  }
  template <class S>
  void string(S&& x, const std::string& value) {
    x = value.c_str();
  }
  template <class Q>
  Size length(Q& q, Size n) {
    q.length(n);
    return n;
  }
};

struct Check {
  static constexpr bool making = false;
  bool same = true;
  template <class T>
  void scalar(const T& x, T value) {
    same = same && identical(x, value);
  }
  template <class S>
  void string(const S& x, const std::string& value) {
    const char* p = chars(x);
    same = same && p != nullptr && value == p;
  }
  template <class Q>
  Size length(const Q& q, Size n) {
    same = same && q.length() == n;
    return same ? n : 0;
  }
};

// ---- sequences ----

template <class Q>
concept Sequence = requires(Q q) {
  q.length(0u);
  q.maximum();
};
template <class Q>
concept ScalarSequence = Sequence<Q> && requires(Q q) { Edges<std::remove_cvref_t<decltype(q[0])>>::values; };
template <class Q>
concept StringSequence = Sequence<Q> && !ScalarSequence<Q> && requires(Q q) { q[0] = static_cast<const char*>(""); };
template <class Q>
concept StructSequence = Sequence<Q> && !StringSequence<Q> && !ScalarSequence<Q>;

template <class V, ScalarSequence Q>
void fields(V& v, Q& q, Size n, Size salt) {
  using T = std::remove_cvref_t<decltype(q[0])>;
  n = v.length(q, n);
  for (Size i = 0; i < n; ++i) v.scalar(q[i], pick<T>(i * 3 + salt));
}
template <class V, StringSequence Q>
void fields(V& v, Q& q, Size n, Size salt) {
  n = v.length(q, n);
  for (Size i = 0; i < n; ++i) v.string(q[i], text((i + salt) % 11, i));
}
template <class V, StructSequence Q>
void fields(V& v, Q& q, Size n, Size salt);

// ---- Param_Test ----

template <class V>
void fields(V& v, Param_Test::Fixed_Struct& x, Size n, Size salt) {
  v.scalar(x.l, CORBA::Long(n * 8 + salt));
  v.scalar(x.c, pick<CORBA::Char>(n + salt));
  v.scalar(x.s, pick<CORBA::Short>(n + salt));
  v.scalar(x.o, pick<CORBA::Octet>(n + salt));
  v.scalar(x.f, pick<CORBA::Float>(n + salt));
  v.scalar(x.b, pick<CORBA::Boolean>(n + salt));
  v.scalar(x.d, pick<CORBA::Double>(n + salt));
}
template <class V>
void fields(V& v, Param_Test::Var_Struct& x, Size n, Size salt) {
  v.string(x.dummy1, text(n % 100, salt));
  v.string(x.dummy2, text(salt, n));
  fields(v, x.seq, n, salt);
}
template <class V>
void fields(V& v, Param_Test::Nested_Struct& x, Size n, Size salt) {
  fields(v, x.vs, n, salt + 1);
}

// ---- Interop ----

template <class V>
void fields(V& v, Interop::Primitives& x, Size n, Size salt) {
  v.scalar(x.b, pick<CORBA::Boolean>(n + salt));
  v.scalar(x.c, pick<CORBA::Char>(n + salt));
  v.scalar(x.o, pick<CORBA::Octet>(n + salt));
  v.scalar(x.s, pick<CORBA::Short>(n + salt));
  v.scalar(x.us, pick<CORBA::UShort>(n + salt));
  v.scalar(x.l, CORBA::Long(n * 8 + salt));
  v.scalar(x.ul, pick<CORBA::ULong>(n + salt));
  v.scalar(x.ll, pick<CORBA::LongLong>(n + salt));
  v.scalar(x.ull, pick<CORBA::ULongLong>(n + salt));
  v.scalar(x.f, pick<CORBA::Float>(n + salt));
  v.scalar(x.d, pick<CORBA::Double>(n + salt));
}
template <class V>
void fields(V& v, Interop::Point& x, Size n, Size salt) {
  v.scalar(x.x, CORBA::Double(n) + 0.5);
  v.scalar(x.tag, CORBA::Octet(n % 200));
  v.scalar(x.y, pick<CORBA::Double>(n + salt));
}
// Arrays come as pointers to their slices, whose types can be the same for different arrays: hence names.
template <class V>
void matrix(V& v, Interop::Matrix_slice* m, Size n, Size salt) {
  for (Size i = 0; i < 2; ++i)
    for (Size j = 0; j < 3; ++j) v.scalar(m[i][j], i + j == 0 ? CORBA::Long(n) : pick<CORBA::Long>(i * 3 + j + salt));
}
template <class V>
void names(V& v, Interop::Names_slice* m, Size n, Size salt) {
  for (Size i = 0; i < 3; ++i) v.string(m[i], text(i == 0 ? n : i - 1, salt));
}
template <class V>
void palette(V& v, Interop::Palette_slice* m, Size n, Size salt) {
  for (Size i = 0; i < 4; ++i) v.scalar(m[i], pick<Interop::Colour>(i == 0 ? n : i + salt));
}
template <class V>
void triangle(V& v, Interop::Triangle_slice* m, Size n, Size salt) {
  for (Size i = 0; i < 3; ++i) fields(v, m[i], n + i, salt);
}
template <class V>
void fields(V& v, Interop::Medley& x, Size n, Size salt) {
  v.scalar(x.o1, pick<CORBA::Octet>(salt));
  v.scalar(x.d1, pick<CORBA::Double>(salt));
  v.scalar(x.o2, pick<CORBA::Octet>(salt + 1));
  v.string(x.s1, text(n, salt));
  v.scalar(x.o3, pick<CORBA::Octet>(salt + 2));
  v.scalar(x.ll1, pick<CORBA::LongLong>(salt));
  v.scalar(x.hue, pick<Interop::Colour>(n + salt));
  matrix(v, x.grid, n, salt);
  names(v, x.three, n, salt);
  v.string(x.nick, text(n % (Interop::kShortName + 1), salt));
  fields(v, x.few, n % (Interop::kFew + 1), salt);
  v.length(x.few_names, Size(Interop::kFew));
  for (Size i = 0; i < x.few_names.length(); ++i) v.string(x.few_names[i], text(i, salt));
  triangle(v, x.corners, n, salt);
  fields(v, x.dots, n, salt);
  fields(v, x.all, n, salt);
  v.scalar(x.last, pick<CORBA::Boolean>(n));
}
template <class V>
void fields(V& v, Interop::Tree& x, Size n, Size salt) {
  v.string(x.label, text(n + salt, n));
  // Branches of sizes 0 .. n-1: 2^n nodes.
  n = v.length(x.branches, n);
  for (Size i = 0; i < n; ++i) fields(v, x.branches[i], i, salt);
}

template <class V, StructSequence Q>
void fields(V& v, Q& q, Size n, Size salt) {
  n = v.length(q, n);
  for (Size i = 0; i < n; ++i) fields(v, q[i], i % 3, salt);
}

// ---- making and comparing ----

template <class T>
void make(T& x, Size n, Role role) {
  Make v;
  fields(v, x, n, Size(role));
}
template <class T>
bool same(const T& x, Size n, Role role) {
  Check v;
  fields(v, const_cast<T&>(x), n, Size(role));  // Check only reads
  return v.same;
}
inline Size size_of(const Param_Test::Fixed_Struct& x) { return Size(x.l) / 8; }
inline Size size_of(const Param_Test::Var_Struct& x) { return x.seq.length(); }
inline Size size_of(const Param_Test::Nested_Struct& x) { return x.vs.seq.length(); }
inline Size size_of(const Interop::Primitives& x) { return Size(x.l) / 8; }
inline Size size_of(const Interop::Point& x) { return x.tag; }
inline Size size_of(const Interop::Medley& x) { return x.dots.length(); }
inline Size size_of(const Interop::Tree& x) { return x.branches.length(); }
template <Sequence Q>
Size size_of(const Q& x) {
  return x.length();
}

// The largest size that the cases use.
template <class T>
constexpr Size kLargest = 1000000;
template <>
inline constexpr Size kLargest<Interop::Tree> = 8;  // 2^n nodes

}  // namespace interop
