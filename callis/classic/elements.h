// SPDX-License-Identifier: Apache-2.0
// What sequences and arrays do with their elements, by kind of element: make empty ones, destroy, copy.
//
//   Values<T>       primitives, enums, structs, sequences, arrays: the element is a T
//   Strings         the element is a char*, an empty one is the empty string
//   WideStrings     the same of wchar_t*
//   References<X>   the element is an X*, an empty one is nil
//
// Item is what stands in a list of elements, item_of() what a container gets; put() copies an item over an empty
// element.
// kTakes: whether a container's elements may be items.
//
// destroy() leaves elements that only fill_empty() or copy_into() may touch next, or zeros for what owns
// nothing. All-zero elements may always be destroyed and read.
#pragma once
#include <callis/classic/construct.h>
#include <callis/classic/reference.h>
#include <callis/classic/string.h>
#include <cstring>
#include <type_traits>

namespace callis::classic {

template <class T>
struct Values {
  using Slot = T;
  using Flat = std::remove_all_extents_t<T>;  // an array's innermost elements
  using Item = T;
  template <class U>
  static constexpr bool kTakes = std::is_same_v<U, T>;

  static void put(T& slot, const T& item) { slot = item; }
  static const T& item_of(const T& slot) noexcept { return slot; }

  // Evaluated where T is complete.
  static constexpr bool trivial() { return std::is_trivially_copyable_v<Flat>; }

  static T& element(T& slot, bool) noexcept { return slot; }
  static const T& value(const T& slot) noexcept { return slot; }

  // Of memory that holds nothing.
  static void fill_empty(T* slots, std::size_t n) {
    if constexpr (trivial()) {
      if (n) std::memset(static_cast<void*>(slots), 0, n * sizeof(T));
    } else {
      construct_n(flat(slots), n * kFlat);
    }
  }
  static void copy_into(T* slots, const T* from, std::size_t n) {
    if constexpr (trivial()) {
      if (n) std::memcpy(static_cast<void*>(slots), from, n * sizeof(T));
    } else {
      construct_copies(flat(slots), flat(from), n * kFlat);
    }
  }
  // Bitwise: values own nothing that points back at them.
  static void move_into(T* slots, T* from, std::size_t n) noexcept {
    if (n) std::memcpy(static_cast<void*>(slots), static_cast<const void*>(from), n * sizeof(T));
  }
  static void destroy(T* slots, std::size_t n) noexcept {
    if constexpr (!trivial()) destroy_n(flat(slots), n * kFlat);
  }

 private:
  static constexpr std::size_t kFlat = [] {
    if constexpr (std::is_array_v<T>) return sizeof(T) / sizeof(Flat);
    else return std::size_t{1};
  }();
  static Flat* flat(T* p) {
    if constexpr (std::is_array_v<T>) return reinterpret_cast<Flat*>(p);
    else return p;
  }
  static const Flat* flat(const T* p) {
    if constexpr (std::is_array_v<T>) return reinterpret_cast<const Flat*>(p);
    else return p;
  }
};

// Of strings of C.
template <class C>
struct StringItems {
  using Item = TextItem<C>;
  template <class U>
  static constexpr bool kTakes = std::is_convertible_v<const U&, TextItem<C>>;

  static void put(C*& slot, const TextItem<C>& item) { slot = item.duplicate(); }
  static const C* item_of(C* const& slot) noexcept { return slot ? slot : Characters<C>::empty(); }
};

struct Strings : StringItems<char> {
  using Slot = char*;
  static constexpr bool trivial() { return false; }

  static CORBA::String_element element(char*& slot, bool release) noexcept { return {slot, release}; }
  static const char* value(char* const& slot) noexcept { return slot; }

  static void fill_empty(char** slots, std::size_t n) noexcept {
    for (std::size_t i = 0; i < n; ++i) slots[i] = marshal::kEmptyString;
  }
  // Over elements that are there.
  static void assign(char** slots, char* const* from, std::size_t n) {
    for (std::size_t i = 0; i < n; ++i) assign_string(slots[i], from[i]);
  }
  static void copy_into(char** slots, char* const* from, std::size_t n) {
    if (!marshal::strings_duplicate(slots, from, n)) [[unlikely]] throw_no_memory();
  }
  static void move_into(char** slots, char** from, std::size_t n) noexcept {
    if (n) std::memcpy(slots, from, n * sizeof(char*));
  }
  static void destroy(char** slots, std::size_t n) noexcept {
    marshal::strings_free(slots, n);
    if (n) std::memset(slots, 0, n * sizeof(char*));
  }
};

struct WideStrings : StringItems<wchar_t> {
  using Slot = wchar_t*;
  static constexpr bool trivial() { return false; }

  static CORBA::WString_element element(wchar_t*& slot, bool release) noexcept { return {slot, release}; }
  static const wchar_t* value(wchar_t* const& slot) noexcept { return slot; }

  static void fill_empty(wchar_t** slots, std::size_t n) noexcept {
    for (std::size_t i = 0; i < n; ++i) slots[i] = marshal::kEmptyWide;
  }
  static void copy_into(wchar_t** slots, wchar_t* const* from, std::size_t n) {
    for (std::size_t i = 0; i < n; ++i) {
      slots[i] = marshal::wide_duplicate(from[i]);
      if (slots[i] || !from[i]) [[likely]] continue;
      destroy(slots, i);
      throw_no_memory();
    }
  }
  static void move_into(wchar_t** slots, wchar_t** from, std::size_t n) noexcept {
    if (n) std::memcpy(slots, from, n * sizeof(wchar_t*));
  }
  static void destroy(wchar_t** slots, std::size_t n) noexcept {
    for (std::size_t i = 0; i < n; ++i) marshal::wide_free(std::exchange(slots[i], nullptr));
  }
};

template <class X>
struct References {
  using Slot = X*;
  using Item = ReferenceVar<X>;
  template <class U>
  static constexpr bool kTakes = std::is_same_v<U, ReferenceVar<X>>;

  static void put(X*& slot, const ReferenceVar<X>& item) { slot = duplicate_reference(item.in()); }
  static ReferenceVar<X> item_of(X* const& slot) { return duplicate_reference(slot); }
  static constexpr bool trivial() { return false; }

  static ReferenceElement<X> element(X*& slot, bool release) noexcept { return {slot, release}; }
  static X* value(X* const& slot) noexcept { return slot; }

  static void fill_empty(X** slots, std::size_t n) noexcept {
    for (std::size_t i = 0; i < n; ++i) slots[i] = nullptr;
  }
  static void copy_into(X** slots, X* const* from, std::size_t n) {
    for (std::size_t i = 0; i < n; ++i) slots[i] = duplicate_reference(from[i]);
  }
  static void move_into(X** slots, X** from, std::size_t n) noexcept {
    if (n) std::memcpy(slots, from, n * sizeof(X*));
  }
  static void destroy(X** slots, std::size_t n) noexcept {
    for (std::size_t i = 0; i < n; ++i) release_reference(std::exchange(slots[i], nullptr));
  }
};

}  // namespace callis::classic
