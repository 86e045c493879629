// SPDX-License-Identifier: Apache-2.0
// What coder.h is made of that is no sequence or struct: primitives, enums, their arrays, strings, fixed and
// references. The rules stand in coder.h.
#pragma once
#include <callis/cdr/decoder.h>
#include <callis/cdr/encoder.h>
#include <callis/cdr/fixed.h>
#include <callis/cdr/long_double.h>
#include <callis/classic/string.h>
#include <callis/classic/var.h>

namespace callis::classic {

// ---- primitives ----

template <class T>
void put_primitive(cdr::Encoder& e, T v) {
  if constexpr (std::is_same_v<T, long double>) {
    e.put_long_double(v);
  } else if constexpr (std::is_same_v<T, wchar_t>) {
    e.put_wchar(v);
  } else if constexpr (sizeof(T) == 1) {
    if constexpr (std::is_same_v<T, char>)
      if (!e.check_chars(&v, 1)) [[unlikely]] return;
    if (!e.ensure(1)) return;
    *e.cursor() = static_cast<Byte>(v);
    e.advance(1);
  } else {
    // Zeros wherever padding may be, then the value.
    const std::size_t pad = (0 - e.phase()) & (sizeof(T) - 1);
    if (!e.ensure(2 * sizeof(T))) return;
    Byte* to = e.cursor();
    std::memset(to, 0, sizeof(T));
    store(to + pad, v, e.swaps());
    e.advance(pad + sizeof(T));
  }
}
template <class T>
void get_primitive(cdr::Decoder& d, T& v) {
  if constexpr (std::is_same_v<T, long double>) v = d.get_long_double();
  else if constexpr (std::is_same_v<T, wchar_t>) v = d.get_wchar();
  else if constexpr (std::is_same_v<T, bool>) v = d.get_boolean();
  else v = d.get<T>();
  if constexpr (std::is_same_v<T, char>)
    if (!d.check_chars(&v, 1)) [[unlikely]] v = 0;
}

template <class E>
void put_enum(cdr::Encoder& e, E v, std::uint32_t enumerators) {
  const auto u = static_cast<std::uint32_t>(v);
  if (u >= enumerators) [[unlikely]] e.set_fault(Fault::BadEnum);
  put_primitive(e, u);
}
template <class E>
E checked_enum(cdr::Decoder& d, std::uint32_t u, std::uint32_t enumerators) {
  if (u < enumerators) [[likely]] return static_cast<E>(u);
  d.set_fault(Fault::BadEnum);
  return E{};
}
template <class E>
void get_enum(cdr::Decoder& d, E& v, std::uint32_t enumerators) {
  v = checked_enum<E>(d, d.get<std::uint32_t>(), enumerators);
}
inline bool checked_boolean(cdr::Decoder& d, Byte b) {
  if (b > 1) [[unlikely]] d.set_fault(Fault::BadBoolean);
  return b == 1;
}

// ---- arrays of primitives and enums; flat() gives the innermost elements of an array ----

// Primitives that are marshaled one by one: their bytes in memory are not those of the wire.
template <class T>
inline constexpr bool kOneByOne = std::is_same_v<T, long double> || std::is_same_v<T, wchar_t>;

template <class T>
auto* flat(T* p) {
  if constexpr (std::is_array_v<T>) return flat(&(*p)[0]);
  else return p;
}

template <class T>
void put_primitives(cdr::Encoder& e, const T* p, std::size_t n) {
  if constexpr (kOneByOne<T>) {
    for (std::size_t i = 0; i < n; ++i) put_primitive(e, p[i]);
  } else if constexpr (std::is_same_v<T, char>) {
    e.put_chars(p, n);
  } else {
    e.put_array(p, n, sizeof(T));
  }
}
template <class T>
void get_primitives(cdr::Decoder& d, T* p, std::size_t n) {
  if constexpr (kOneByOne<T>) {
    for (std::size_t i = 0; i < n; ++i) get_primitive(d, p[i]);
  } else if constexpr (std::is_same_v<T, bool>) {
    // Other bytes than 0 and 1 must never be read as bool.
    const auto bytes = reinterpret_cast<Byte*>(p);
    if (!d.get_array(bytes, n, 1)) return;
    for (std::size_t i = 0; i < n; ++i) {
      if (bytes[i] <= 1) continue;
      d.set_fault(Fault::BadBoolean);
      std::memset(bytes, 0, n);
      return;
    }
  } else if constexpr (std::is_same_v<T, char>) {
    d.get_chars(p, n);
  } else {
    d.get_array(p, n, sizeof(T));
  }
}

// n elements at an address whose room or bytes have been checked.
template <class T>
void store_array(Byte* to, const T* p, std::size_t n, bool swap) {
  if (!swap || sizeof(T) == 1) std::memcpy(to, p, n * sizeof(T));
  else for (std::size_t i = 0; i < n; ++i) store(to + i * sizeof(T), p[i], true);
}
template <class T>
void load_array(const Byte* from, T* p, std::size_t n, bool swap) {
  if (!swap || sizeof(T) == 1) std::memcpy(p, from, n * sizeof(T));
  else for (std::size_t i = 0; i < n; ++i) p[i] = load<T>(from + i * sizeof(T), true);
}

template <class E>
void put_enums(cdr::Encoder& e, const E* p, std::size_t n, std::uint32_t enumerators) {
  for (std::size_t i = 0; i < n; ++i)
    if (static_cast<std::uint32_t>(p[i]) >= enumerators) return e.set_fault(Fault::BadEnum);
  e.put_array(p, n, 4);
}
template <class E>
void get_enums(cdr::Decoder& d, E* p, std::size_t n, std::uint32_t enumerators) {
  static_assert(sizeof(E) == 4);
  if (!d.get_array(p, n, 4)) return;
  for (std::size_t i = 0; i < n; ++i) {
    if (load<std::uint32_t>(p + i) < enumerators) continue;
    d.set_fault(Fault::BadEnum);
    std::memset(static_cast<void*>(p), 0, n * sizeof(E));
    return;
  }
}

// ---- strings: one function for each way, called; several in each stub would only fill the cache ----

[[gnu::noinline]] inline void put_string(cdr::Encoder& e, const char* s, std::uint32_t bound = 0) {
  if (!s) return e.set_fault(Fault::NullPointer);
  const std::size_t n = std::strlen(s);
  if (bound != 0 && n > bound) return e.set_fault(Fault::BadBound);
  if (n >= 0xffffffffu || e.converts()) [[unlikely]] return e.put_text({s, n});  // says what is wrong with it
  const std::size_t pad = (0 - e.phase()) & 3;
  if (!e.ensure(n + 8)) return;
  Byte* to = e.cursor();
  store(to, std::uint32_t{0});
  store(to + pad, static_cast<std::uint32_t>(n + 1), e.swaps());
  std::memcpy(to + pad + 4, s, n + 1);
  e.advance(pad + n + 5);
}

// A string that follows, whole in its segment and without fault, and its length with the NUL. nullptr for others, of
// which nothing has been read then.
inline char* string_in_place(cdr::Decoder& d, std::uint32_t& n, std::uint32_t bound) {
  const std::size_t pad = (0 - d.phase()) & 3;
  if (d.contiguous() < pad + 4 || d.converts()) [[unlikely]] return nullptr;
  const Byte* from = d.cursor() + pad;
  n = load<std::uint32_t>(from, d.swaps());
  // A length of 0 is beyond both, too.
  if (n - 1 >= d.contiguous() - pad - 4 || (bound != 0 && n - 1 > bound)) [[unlikely]] return nullptr;
  const char* s = reinterpret_cast<const char*>(from + 4);
  if (std::memchr(s, 0, n) != s + n - 1 || !d.charge(n)) [[unlikely]] return nullptr;
  d.advance(pad + 4 + n);
  return const_cast<char*>(s);  // a servant gets it as const
}

void own_string_slowly(cdr::Decoder& d, char*& slot, std::uint32_t bound);
void borrow_string_slowly(cdr::Decoder& d, char*& slot, std::uint32_t bound);

// A string of the receiver's own.
[[gnu::noinline]] inline void own_string(cdr::Decoder& d, char*& slot, std::uint32_t bound = 0) {
  std::uint32_t n;
  const char* s = string_in_place(d, n, bound);
  if (!s) [[unlikely]] return own_string_slowly(d, slot, bound);
  if (slot && marshal::string_fits(slot, n - 1)) {
    std::memcpy(slot, s, n);
    return;
  }
  char* copy = n == 1 ? marshal::kEmptyString : marshal::string_allocate(n - 1);
  if (!copy) return d.set_fault(Fault::OutOfMemory);
  if (n != 1) std::memcpy(copy, s, n);
  marshal::string_free(std::exchange(slot, copy));
}
// One of the request's. The decoder has an arena.
[[gnu::noinline]] inline void borrow_string(cdr::Decoder& d, char*& slot, std::uint32_t bound = 0) {
  std::uint32_t n;
  char* s = string_in_place(d, n, bound);
  if (!s) [[unlikely]] return borrow_string_slowly(d, slot, bound);
  slot = s;
}
inline void get_string(cdr::Decoder& d, char*& slot, std::uint32_t bound = 0) {
  if (d.arena()) borrow_string(d, slot, bound);
  else own_string(d, slot, bound);
}

// Wide strings: never left in the message, where they have another form.
void put_string(cdr::Encoder& e, const wchar_t* s, std::uint32_t bound = 0);
void own_string(cdr::Decoder& d, wchar_t*& slot, std::uint32_t bound = 0);
void borrow_string(cdr::Decoder& d, wchar_t*& slot, std::uint32_t bound = 0);
inline void get_string(cdr::Decoder& d, wchar_t*& slot, std::uint32_t bound = 0) {
  if (d.arena()) borrow_string(d, slot, bound);
  else own_string(d, slot, bound);
}

// Both kinds, in members, elements of arrays and vars.
template <class Derived, class C>
void own_string(cdr::Decoder& d, StringHolder<Derived, C>& slot, std::uint32_t bound = 0) {
  own_string(d, slot.inout(), bound);
}
template <class Derived, class C>
void get_string(cdr::Decoder& d, StringHolder<Derived, C>& slot, std::uint32_t bound = 0) {
  get_string(d, slot.inout(), bound);
}

// ---- fixed<digits, scale>: F is a FixedPoint of them ----

template <class F>
void put_fixed(cdr::Encoder& e, const F& v, unsigned digits, unsigned scale) {
  cdr::put_fixed(e, v.callis_value(), digits, scale);
}
template <class F>
void get_fixed(cdr::Decoder& d, F& v, unsigned digits, unsigned scale) {
  cdr::get_fixed(d, v.callis_value(), digits, scale);
}

// ---- object references: orb::put_reference() and get_reference() do the work ----

template <class X>
void set_reference(X*& slot, void* owned) {
  release_reference(std::exchange(slot, static_cast<X*>(owned)));
}
template <class X>
void set_reference(ReferenceVar<X>& slot, void* owned) {
  slot = static_cast<X*>(owned);
}

}  // namespace callis::classic
