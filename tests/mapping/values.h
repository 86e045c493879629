// SPDX-License-Identifier: Apache-2.0
// Random values of generated types, and whether two are the same. A struct is known by members(), which gives its
// members as a tuple of references and stands in the struct's namespace (cases.inc); a union by options(), which
// calls option<T>(label, get, set) for every label, and none(set) when it may select no member.
#pragma once
#include "loopback.h"
#include <callis/classic/classic.h>
#include <callis/classic/fixed.h>
#include <climits>
#include <cmath>
#include <cstring>
#include <cwchar>
#include <random>
#include <tuple>

namespace values {

class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}
  unsigned below(unsigned n) { return static_cast<unsigned>(engine_() % n); }
  std::uint64_t bits() { return engine_(); }
  // At most six characters: no more than the corpus' bound.
  std::string text() {
    std::string s(below(7), ' ');
    for (char& c : s) c = static_cast<char>(1 + below(255));
    return s;
  }
  // Code points of Unicode but surrogates, some beyond 16 bits.
  wchar_t wide() {
    const unsigned c = below(4) == 0 ? 1 + below(0x10ffff) : 1 + below(0x2ff);
    return static_cast<wchar_t>(c >= 0xd800 && c < 0xe000 ? c - 0x800 : c);
  }
  std::wstring wide_text() {
    std::wstring s(below(7), L' ');
    for (wchar_t& c : s) c = wide();
    return s;
  }
  // One of the servants that the case offers, or none.
  PortableServer::ServantBase* servant() {
    return servants.empty() || below(4) == 0 ? nullptr : servants[below(static_cast<unsigned>(servants.size()))];
  }
  std::vector<PortableServer::ServantBase*> servants;
  int depth = 0;

 private:
  std::mt19937_64 engine_;
};

template <class T>
concept Sequence = requires(T& t) { t.callis_header(); };
template <class T>
concept String = requires(T& t) { { t.inout() } -> std::same_as<char*&>; };
template <class T>
concept WideString = requires(T& t) { { t.inout() } -> std::same_as<wchar_t*&>; };
template <class T>
concept Reference = requires(T& t) { { t.in() } -> std::convertible_to<CORBA::Object_ptr>; };

template <class T>
concept Union = requires(T& t) { t._d(); };

template <class X>
X* random_reference(Random& r) {
  PortableServer::ServantBase* s = r.servant();
  if (!s) return nullptr;
  if constexpr (std::is_same_v<X, CORBA::Object>) {
    struct Plain final : CORBA::Object {
      explicit Plain(callis::orb::Reference* p) : Object(p) {}
    };
    return static_cast<CORBA::Object*>(loopback::reference(
        *s, [](callis::orb::Reference* p) -> void* { return static_cast<CORBA::Object*>(new Plain(p)); },
        "IDL:other:1.0"));
  } else {
    return loopback::reference<X>(*s);
  }
}

template <class T>
void fill(Random& r, T& x);

// Selects and fills the option of that number.
template <class U>
struct Filler {
  Random& r;
  U& u;
  unsigned wanted, count = 0;

  template <class T, class Label, class Get, class Set>
  void option(Label label, Get, Set set) {
    if (count++ != wanted) return;
    T value{};
    fill(r, value);
    set(u, value);
    u._d(static_cast<decltype(u._d())>(label));
  }
  template <class Set>
  void none(Set set) {
    if (count++ == wanted) set(u);
  }
};

template <class T>
bool same(const T& a, const T& b);

template <class U>
struct Comparer {
  const U &a, &b;
  bool equal;

  template <class T, class Label, class Get, class Set>
  void option(Label label, Get get, Set) {
    if (!equal || a._d() != static_cast<decltype(a._d())>(label)) return;
    const auto &x = get(a), &y = get(b);
    using Got = std::remove_cvref_t<decltype(x)>;
    if constexpr (std::is_array_v<T>) equal = same(reinterpret_cast<const T&>(*x), reinterpret_cast<const T&>(*y));
    else if constexpr (std::is_same_v<Got, const char*>) equal = std::strcmp(x, y) == 0;
    else if constexpr (std::is_same_v<Got, const wchar_t*>) equal = std::wcscmp(x, y) == 0;
    else if constexpr (std::is_pointer_v<Got>) equal = loopback::key_of(x) == loopback::key_of(y);
    else equal = same(x, y);
  }
  template <class Set>
  void none(Set) {}
};

template <class T>
void fill(Random& r, T& x) {
  if constexpr (std::is_enum_v<T>) {
    x = static_cast<T>(r.below(2));
  } else if constexpr (std::is_same_v<T, bool>) {
    x = r.below(2) != 0;
  } else if constexpr (std::is_same_v<T, wchar_t>) {
    x = r.wide();
  } else if constexpr (std::is_floating_point_v<T>) {
    x = static_cast<T>(
        std::ldexp(static_cast<double>(static_cast<std::int32_t>(r.bits())), static_cast<int>(r.below(40)) - 20));
  } else if constexpr (std::is_integral_v<T>) {
    x = static_cast<T>(r.bits());
  } else if constexpr (std::is_array_v<T>) {
    for (auto& e : x) fill(r, e);
  } else if constexpr (std::derived_from<T, CORBA::Fixed>) {
    std::string digits(T().fixed_digits(), '0');
    for (char& c : digits) c = static_cast<char>('0' + r.below(10));
    if (T().fixed_scale() != 0) digits.insert(digits.size() - T().fixed_scale(), 1, '.');
    if (r.below(2) != 0) digits.insert(0, 1, '-');
    x = T(digits.c_str());
  } else if constexpr (Union<T>) {
    Filler<T> counter{r, x, UINT_MAX};
    options(&x, counter);
    // Deep down the first one, which does not lead deeper.
    Filler<T> filler{r, x, r.depth > 2 ? 0 : r.below(counter.count)};
    options(&x, filler);
  } else if constexpr (String<T>) {
    x = r.text().c_str();
  } else if constexpr (WideString<T>) {
    x = r.wide_text().c_str();
  } else if constexpr (Sequence<T>) {
    unsigned n = r.depth > 2 ? 0 : r.below(5);
    if (r.depth == 0 && r.below(8) == 0) n = 5 + r.below(30);
    if (T().maximum() != 0) n = std::min(n, T().maximum());
    x.length(n);
    ++r.depth;
    for (unsigned i = 0; i < n; ++i) {
      using Slot = typename T::Slot;
      if constexpr (std::is_same_v<Slot, char*>) x[i] = r.text().c_str();
      else if constexpr (std::is_same_v<Slot, wchar_t*>) x[i] = r.wide_text().c_str();
      else if constexpr (std::is_pointer_v<Slot>) x[i] = random_reference<std::remove_pointer_t<Slot>>(r);
      else fill(r, x.get_buffer()[i]);
    }
    --r.depth;
  } else if constexpr (Reference<T>) {
    x = random_reference<std::remove_pointer_t<decltype(x.in())>>(r);
  } else {
    std::apply([&r](auto&... m) { (fill(r, m), ...); }, members(x));
  }
}

template <class T>
bool same(const T& a, const T& b) {
  if constexpr (std::is_arithmetic_v<T> || std::is_enum_v<T>) {
    return a == b;
  } else if constexpr (std::derived_from<T, CORBA::Fixed>) {
    return a == b && a.callis_value().digits == T().fixed_digits() && a.callis_value().scale == T().fixed_scale();
  } else if constexpr (std::is_array_v<T>) {
    return std::equal(std::begin(a), std::end(a), std::begin(b),
                      [](const auto& x, const auto& y) { return same(x, y); });
  } else if constexpr (Union<const T>) {
    Comparer<T> comparer{a, b, a._d() == b._d()};
    options(&a, comparer);
    return comparer.equal;
  } else if constexpr (requires { { a.in() } -> std::same_as<const char*>; }) {
    return std::strcmp(a.in(), b.in()) == 0;
  } else if constexpr (requires { { a.in() } -> std::same_as<const wchar_t*>; }) {
    return std::wcscmp(a.in(), b.in()) == 0;
  } else if constexpr (Sequence<T>) {
    if (a.length() != b.length()) return false;
    using Slot = typename T::Slot;
    for (CORBA::ULong i = 0; i < a.length(); ++i) {
      const Slot& x = a.get_buffer()[i];
      const Slot& y = b.get_buffer()[i];
      if constexpr (std::is_same_v<Slot, char*>) {
        if (std::strcmp(x, y) != 0) return false;
      } else if constexpr (std::is_same_v<Slot, wchar_t*>) {
        if (std::wcscmp(x, y) != 0) return false;
      } else if constexpr (std::is_pointer_v<Slot>) {
        if (loopback::key_of(x) != loopback::key_of(y)) return false;
      } else if (!same(x, y)) {
        return false;
      }
    }
    return true;
  } else if constexpr (Reference<const T>) {
    return loopback::key_of(a.in()) == loopback::key_of(b.in());
  } else {
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      [[maybe_unused]] const auto x = members(const_cast<T&>(a)), y = members(const_cast<T&>(b));
      return (same(std::get<I>(x), std::get<I>(y)) && ...);
    }(std::make_index_sequence<std::tuple_size_v<decltype(members(const_cast<T&>(a)))>>());
  }
}

}  // namespace values
