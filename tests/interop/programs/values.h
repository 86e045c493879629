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
  bool same_so_far() const { return true; }
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
  bool same_so_far() const { return same; }
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

// ---- unions and fixed ----

template <class V>
void row(V& v, Interop::Row_slice* r, Size n, Size salt) {
  for (Size i = 0; i < 3; ++i) v.scalar(r[i], i == 0 ? CORBA::Long(n) : pick<CORBA::Long>(i + salt));
}
// A fixed of n, negative for every other role, with some places.
template <class V, class F>
void decimal(V& v, F& x, Size n, Size salt, bool places) {
  std::string number = (salt % 2 ? "-" : "") + std::to_string(n % 1000);
  if (places) number += "." + std::to_string(100 + n % 100 + salt);
  const CORBA::Fixed f(number.c_str());
  if constexpr (V::making) x = f;
  else v.same = v.same && x == f;
}
// Selects a member of a union, or finds it selected.
template <class V, class U, class Label>
bool selected(V& v, U& x, Label label) {
  if constexpr (!V::making) v.same = v.same && x._d() == label;
  return v.same_so_far();
}
template <class V>
void fields(V& v, Interop::Choice& x, Size n, Size salt) {
  const Interop::Colour label = pick<Interop::Colour>(n + salt);
  if (!selected(v, x, label)) return;
  switch (label) {
    case Interop::red:
      if constexpr (V::making) x.number(CORBA::Long(n));
      else v.scalar(x.number(), CORBA::Long(n));
      break;
    case Interop::orange:
      if constexpr (V::making) x.label(text(n, salt).c_str());
      else v.string(x.label(), text(n, salt));
      break;
    case Interop::yellow:
    case Interop::green:
      if constexpr (V::making) x.dots(Interop::Points());
      fields(v, x.dots(), n, salt);
      break;
    case Interop::blue: {
      Interop::Point p{};
      if constexpr (!V::making) p = x.spot();
      fields(v, p, n, salt);
      if constexpr (V::making) x.spot(p);
      break;
    }
    default: {
      Interop::Row r = {};
      if constexpr (!V::making) Interop::Row_copy(r, x.line());
      row(v, r, n, salt);
      if constexpr (V::making) x.line(r);
    }
  }
  if constexpr (V::making) x._d(label);
}
template <class V>
void fields(V& v, Interop::Maybe& x, Size n, Size salt) {
  const CORBA::Short label = CORBA::Short(n % 4 == 0 ? -1 : n % 4 == 1 ? 7 : n % 4 == 2 ? 100 : 3);
  if (!V::making && !selected(v, x, label)) return;
  Interop::Row r = {};
  switch (label) {
    case -1:
      if constexpr (V::making) x.much(CORBA::Double(n + salt));
      else v.scalar(x.much(), CORBA::Double(n + salt));
      return;
    case 7:
      if constexpr (V::making) x.little(CORBA::Octet(n + salt));
      else v.scalar(x.little(), CORBA::Octet(n + salt));
      return;
    case 100:
      if constexpr (!V::making) Interop::Row_copy(r, x.line());
      row(v, r, n, salt);
      if constexpr (V::making) x.line(r);
      return;
    default:
      if constexpr (V::making) {
        x._default();
        x._d(label);
      }
  }
}
template <class V>
void fields(V& v, Interop::Twig& x, Size n, Size salt) {
  if (!V::making && !selected(v, x, CORBA::Boolean(n > 0))) return;
  if (n == 0) {
    if constexpr (V::making) x.leaf(CORBA::Long(salt));
    else v.scalar(x.leaf(), CORBA::Long(salt));
    return;
  }
  if constexpr (V::making) x.twigs(Interop::Twig::_twigs_seq());
  n = v.length(x.twigs(), n);
  for (Size i = 0; i < n; ++i) fields(v, x.twigs()[i], i / 2, salt);
}
template <class V>
void fields(V& v, Interop::Amount& x, Size n, Size salt) {
  decimal(v, x, n, salt, true);
}
template <class V>
void fields(V& v, Interop::Amounts& q, Size n, Size salt) {
  n = v.length(q, n);
  for (Size i = 0; i < n; ++i) decimal(v, q[i], i, salt, true);
}
template <class V>
void fields(V& v, Interop::Ticket& x, Size n, Size salt) {
  v.scalar(x.o1, pick<CORBA::Octet>(salt));
  fields(v, x.picked, n, salt);
  v.scalar(x.o2, pick<CORBA::Octet>(salt + 1));
  fields(v, x.perhaps, n, salt);
  decimal(v, x.price, n, salt, true);
  v.scalar(x.o3, pick<CORBA::Octet>(salt + 2));
  decimal(v, x.seats, n, salt, false);
  fields(v, x.tree, n, salt);
}
template <class V>
void fields(V& v, Interop::Tickets& q, Size n, Size salt) {
  n = v.length(q, n);
  for (Size i = 0; i < n; ++i) fields(v, q[i], i % 8, salt);
}

// ---- wide characters ----

inline std::wstring wide_text(Size n, Size salt) {
  static constexpr wchar_t kLetters[] = {L'A', 0xe4, 0x7ff, 0x20ac, 0xd7ff, 0xe000, 0xfffd, 1};
  std::wstring s(n, L' ');
  for (Size i = 0; i < n; ++i) s[i] = kLetters[(i + salt * 3) % 8];
  return s;
}
template <class V, class S>
void wide(V& v, S&& x, const std::wstring& value) {
  if constexpr (V::making) {
    x = value.c_str();
  } else {
    const wchar_t* p = x;
    v.same = v.same && p != nullptr && value == p;
  }
}
template <class V>
void fields(V& v, Interop::WStrings& q, Size n, Size salt) {
  n = v.length(q, n);
  for (Size i = 0; i < n; ++i) wide(v, q[i], wide_text(i % 11, salt));
}
template <class V>
void fields(V& v, Interop::WChars& q, Size n, Size salt) {
  n = v.length(q, n);
  for (Size i = 0; i < n; ++i) v.scalar(q[i], wide_text(i + 1, salt)[i]);
}
template <class V>
void fields(V& v, Interop::Broad& x, Size n, Size salt) {
  v.scalar(x.o, pick<CORBA::Octet>(salt));
  v.scalar(x.c, wide_text(1, salt)[0]);
  wide(v, x.s, wide_text(n, salt));
  fields(v, x.all, n, salt + 1);
  fields(v, x.letters, n, salt);
}
template <class V>
void fields(V& v, Interop::BroadPair& x, Size n, Size salt) {
  fields(v, x.first, n, salt);
  const CORBA::Long label = CORBA::Long(n % 2 + 1);
  if (!V::making && !selected(v, x.second, label)) return;
  if constexpr (V::making) {
    if (label == 1) x.second.s(wide_text(n, salt).c_str());
    else x.second.c(wide_text(1, salt)[0]);
  } else {
    if (label == 1) wide(v, x.second.s(), wide_text(n, salt));
    else v.scalar(x.second.c(), wide_text(1, salt)[0]);
  }
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
inline Size size_of(const Interop::Choice& x) {
  switch (x._d()) {
    case Interop::red: return Size(x.number());
    case Interop::orange: return Size(std::strlen(x.label()));
    case Interop::yellow:
    case Interop::green: return x.dots().length();
    case Interop::blue: return x.spot().tag;
    default: return Size(x.line()[0]);
  }
}
inline Size size_of(const Interop::Maybe& x) {
  switch (x._d()) {
    case -1: return Size(x.much());
    case 7: return x.little();
    case 100: return Size(x.line()[0]);
    default: return 3;
  }
}
inline Size size_of(const Interop::Amount& x) {
  const CORBA::LongLong n = x;
  return Size(n);
}
inline Size size_of(const Interop::BroadPair& x) { return x.first.all.length(); }
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
