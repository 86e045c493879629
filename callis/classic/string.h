// SPDX-License-Identifier: Apache-2.0
// Strings of the classic mapping (C++ mapping 1.3, 4.7): char* or wchar_t*, owned by whoever string_alloc'ed or
// wstring_alloc'ed it.
//
//   String_var      owns a char*; null at first
//   String_member   the same as member of a struct or array; the empty string at first (4.11)
//   String_element  what operator[] of a sequence of strings returns: refers to the element and frees the
//                   old value on assignment only when the sequence owns it (4.13.1)
//   String_out      out parameter; nulls the caller's pointer (4.8)
//   WString_var, WString_member, WString_element, WString_out    the same of wchar_t*
//
// Assigning a char* takes it over, assigning a const char* copies. A copy that finds no memory throws
// CORBA::NO_MEMORY. The classes are not for several threads at once.
//
// Beyond the mapping: all of them take std::string and std::string_view, by copy (those of wchar_t: std::wstring and
// std::wstring_view), and as_view() shows the string as a view. IDL's strings cannot hold the character 0: a text
// that has one is CORBA::BAD_PARAM. callis::string_dup() makes of a text a char* that the caller owns.
#pragma once
#include <callis/classic/exception.h>
#include <callis/marshal/memory.h>
#include <concepts>
#include <string>
#include <string_view>
#include <utility>

namespace CORBA::inline callis_orb {

// nullptr when memory is exhausted.
inline char* string_alloc(ULong length) { return callis::marshal::string_allocate(length); }
inline char* string_dup(const char* s) { return callis::marshal::string_duplicate(s); }
inline void string_free(char* s) { callis::marshal::string_free(s); }
inline WChar* wstring_alloc(ULong length) { return callis::marshal::wide_allocate(length); }
inline WChar* wstring_dup(const WChar* s) { return callis::marshal::wide_duplicate(s); }
inline void wstring_free(WChar* s) { callis::marshal::wide_free(s); }

}  // namespace CORBA::inline callis_orb

namespace callis::classic {

// The memory of strings of C.
template <class C>
struct Characters;
template <>
struct Characters<char> {
  static char* empty() noexcept { return marshal::kEmptyString; }
  static char* allocate(CORBA::ULong length) noexcept { return marshal::string_allocate(length); }
  static char* duplicate(const char* s) noexcept { return marshal::string_duplicate(s); }
  static void free(char* s) noexcept { marshal::string_free(s); }
  // Makes an owned string a copy of another, in its own memory if that fits; s may be a part of it.
  static bool assign(char*& slot, const char* s) noexcept { return marshal::string_assign(&slot, s); }
};
template <>
struct Characters<wchar_t> {
  static wchar_t* empty() noexcept { return marshal::kEmptyWide; }
  static wchar_t* allocate(CORBA::ULong length) noexcept { return marshal::wide_allocate(length); }
  static wchar_t* duplicate(const wchar_t* s) noexcept { return marshal::wide_duplicate(s); }
  static void free(wchar_t* s) noexcept { marshal::wide_free(s); }
  static bool assign(wchar_t*& slot, const wchar_t* s) noexcept {
    wchar_t* copy = duplicate(s);
    if (s && !copy) return false;
    free(std::exchange(slot, copy));
    return true;
  }
};

// string_dup() and wstring_dup() that throw CORBA::NO_MEMORY; nullptr stays nullptr.
template <class C>
C* duplicate(const C* s) {
  C* copy = Characters<C>::duplicate(s);
  if (s && !copy) [[unlikely]] throw_no_memory();
  return copy;
}
template <class C>
void assign_string(C*& slot, const C* s) {
  if (!Characters<C>::assign(slot, s)) [[unlikely]] throw_no_memory();
}

// std::string and std::string_view, and the same of wchar_t.
template <class T, class C>
inline constexpr bool kIsText = false;
template <class C>
inline constexpr bool kIsText<std::basic_string_view<C>, C> = true;
template <class C, class Allocator>
inline constexpr bool kIsText<std::basic_string<C, std::char_traits<C>, Allocator>, C> = true;
template <class T, class C>
concept Text = kIsText<T, C>;

// A copy that the caller owns. BAD_PARAM for a text with the character 0, or of 4 GiB; NO_MEMORY.
template <class C>
C* duplicate_text(std::basic_string_view<C> text) {
  if (text.size() >= UINT32_MAX || text.find(C{}) != text.npos) [[unlikely]]
    throw_bad_param("a string cannot hold the character 0, nor 4 GiB");
  C* const copy = Characters<C>::allocate(static_cast<CORBA::ULong>(text.size()));
  if (!copy) [[unlikely]] throw_no_memory();
  text.copy(copy, text.size());
  copy[text.size()] = C{};
  return copy;
}

// An empty view of nullptr.
template <class C>
std::basic_string_view<C> view_of(const C* s) noexcept {
  return s ? std::basic_string_view<C>(s) : std::basic_string_view<C>();
}

// A class that holds or refers to a string of C.
template <class T, class C>
concept HoldsStringOf = requires(const T& t) { { t.in() } -> std::same_as<const C*>; };

// What StringVar and StringMember share: Derived::initial() is their value at first.
template <class Derived, class C>
class StringHolder {
 public:
  StringHolder(const StringHolder&) = delete;
  StringHolder& operator=(const StringHolder&) = delete;

  operator C*&() noexcept { return p_; }
  // A reference, so that GCC does not warn wherever the operator above is chosen over this one.
  operator const C* const&() const noexcept { return const_cast<const C* const&>(p_); }
  const C* in() const noexcept { return p_; }
  // Valid until this is changed.
  std::basic_string_view<C> as_view() const noexcept { return view_of<C>(p_); }
  C*& inout() noexcept { return p_; }
  C*& out() noexcept {
    reset(nullptr);
    return p_;
  }
  // The caller owns the result; this holds its initial value again.
  C* _retn() noexcept { return std::exchange(p_, Derived::initial()); }

  C& operator[](std::integral auto index) noexcept { return p_[index]; }
  C operator[](std::integral auto index) const noexcept { return p_[index]; }

 protected:
  explicit StringHolder(C* p) noexcept : p_(p) {}
  ~StringHolder() { Characters<C>::free(p_); }
  void reset(C* p) noexcept {
    if (p == p_) return;
    Characters<C>::free(p_);
    p_ = p;
  }
  // A copy of p, which may be a part of this.
  void assign(const C* p) { assign_string(p_, p); }

 private:
  C* p_;
};

template <class C>
class StringVar final : public StringHolder<StringVar<C>, C> {
  using Base = StringHolder<StringVar, C>;

 public:
  static C* initial() noexcept { return nullptr; }

  StringVar() noexcept : Base(nullptr) {}
  StringVar(C* p) noexcept : Base(p) {}
  StringVar(const C* p) : Base(duplicate(p)) {}
  StringVar(const StringVar& o) : Base(duplicate(o.in())) {}
  StringVar(StringVar&& o) noexcept : Base(o._retn()) {}
  // From the other holders of strings, by copy.
  template <HoldsStringOf<C> T>
  StringVar(const T& o) : Base(duplicate(o.in())) {}
  template <Text<C> T>
  StringVar(const T& text) : Base(duplicate_text<C>(text)) {}

  StringVar& operator=(C* p) noexcept { return this->reset(p), *this; }
  StringVar& operator=(const C* p) { return this->assign(p), *this; }
  StringVar& operator=(const StringVar& o) { return *this = o.in(); }
  StringVar& operator=(StringVar&& o) noexcept {
    if (this != &o) this->reset(o._retn());
    return *this;
  }
  template <HoldsStringOf<C> T>
  StringVar& operator=(const T& o) { return *this = o.in(); }
  template <Text<C> T>
  StringVar& operator=(const T& text) { return *this = duplicate_text<C>(text); }
};

template <class C>
class StringMember final : public StringHolder<StringMember<C>, C> {
  using Base = StringHolder<StringMember, C>;

 public:
  static C* initial() noexcept { return Characters<C>::empty(); }

  StringMember() noexcept : Base(initial()) {}
  StringMember(C* p) noexcept : Base(p) {}
  StringMember(const C* p) : Base(duplicate(p)) {}
  StringMember(const StringMember& o) : Base(duplicate(o.in())) {}
  StringMember(StringMember&& o) noexcept : Base(o._retn()) {}
  template <HoldsStringOf<C> T>
  StringMember(const T& o) : Base(duplicate(o.in())) {}
  template <Text<C> T>
  StringMember(const T& text) : Base(duplicate_text<C>(text)) {}

  StringMember& operator=(C* p) noexcept { return this->reset(p), *this; }
  StringMember& operator=(const C* p) { return this->assign(p), *this; }
  StringMember& operator=(const StringMember& o) { return *this = o.in(); }
  StringMember& operator=(StringMember&& o) noexcept {
    if (this != &o) this->reset(o._retn());
    return *this;
  }
  template <HoldsStringOf<C> T>
  StringMember& operator=(const T& o) { return *this = o.in(); }
  template <Text<C> T>
  StringMember& operator=(const T& text) { return *this = duplicate_text<C>(text); }
};

template <class C>
class StringElement final {
 public:
  StringElement(C*& slot, bool release) noexcept : slot_(slot), release_(release) {}
  StringElement(const StringElement&) noexcept = default;

  // These assign to the element, also through a const proxy.
  StringElement& operator=(C* p) noexcept { return set(p), *this; }
  StringElement& operator=(const C* p) {
    if (release_) assign_string(slot_, p);
    else slot_ = duplicate(p);
    return *this;
  }
  StringElement& operator=(const StringElement& o) { return *this = o.in(); }
  template <HoldsStringOf<C> T>
  StringElement& operator=(const T& o) { return *this = o.in(); }
  template <Text<C> T>
  StringElement& operator=(const T& text) { return *this = duplicate_text<C>(text); }

  operator C*&() const noexcept { return slot_; }
  const C* in() const noexcept { return slot_; }
  // Valid until the element is changed.
  std::basic_string_view<C> as_view() const noexcept { return view_of<C>(slot_); }
  C*& inout() const noexcept { return slot_; }
  C*& out() const noexcept {
    set(nullptr);
    return slot_;
  }
  // The caller owns the result; the element becomes the empty string.
  C* _retn() const noexcept { return std::exchange(slot_, Characters<C>::empty()); }

 private:
  void set(C* p) const noexcept {
    if (release_ && slot_ != p) Characters<C>::free(slot_);
    slot_ = p;
  }

  C*& slot_;
  bool release_;
};

template <class C>
class StringOut final {
 public:
  StringOut(C*& p) noexcept : p_(p) { p_ = nullptr; }
  StringOut(StringVar<C>& v) noexcept : p_(v.out()) {}
  StringOut(StringMember<C>& m) noexcept : p_(m.out()) {}
  StringOut(const StringElement<C>& e) noexcept : p_(e.out()) {}
  StringOut(const StringOut&) noexcept = default;  // trivial: passed in a register

  StringOut& operator=(const StringOut& o) noexcept {
    p_ = o.p_;
    return *this;
  }
  StringOut& operator=(C* p) noexcept {
    p_ = p;
    return *this;
  }
  StringOut& operator=(const C* p) {
    p_ = duplicate(p);
    return *this;
  }
  template <Text<C> T>
  StringOut& operator=(const T& text) {
    p_ = duplicate_text<C>(text);
    return *this;
  }
  operator C*&() const noexcept { return p_; }
  C*& ptr() const noexcept { return p_; }

 private:
  C*& p_;
};

// What stands in a list of strings: {"literal", pointer, std::string, std::string_view, String_var ...}. It owns
// nothing and holds no longer than the list. No char*, which could mean to give the string away.
template <class C>
class TextItem final {
 public:
  template <class T>
    requires(Text<T, C> || HoldsStringOf<T, C>)
  TextItem(const T& text) noexcept {
    if constexpr (Text<T, C>) text_ = text;
    else text_ = text.as_view();
  }
  template <std::size_t N>
  TextItem(const C (&literal)[N]) noexcept : text_(literal) {}
  template <class T>
    requires std::same_as<T, const C*>
  TextItem(T pointer) noexcept : text_(view_of(pointer)) {}

  C* duplicate() const { return duplicate_text(text_); }

 private:
  std::basic_string_view<C> text_;
};

}  // namespace callis::classic

namespace callis {

// A copy that the caller owns, to be returned by a servant, say. BAD_PARAM for a text with the character 0.
inline char* string_dup(std::string_view text) { return classic::duplicate_text(text); }
inline wchar_t* wstring_dup(std::wstring_view text) { return classic::duplicate_text(text); }

}  // namespace callis

namespace CORBA::inline callis_orb {

using String_var = callis::classic::StringVar<char>;
using String_member = callis::classic::StringMember<char>;
using String_element = callis::classic::StringElement<char>;
using String_out = callis::classic::StringOut<char>;
using WString_var = callis::classic::StringVar<WChar>;
using WString_member = callis::classic::StringMember<WChar>;
using WString_element = callis::classic::StringElement<WChar>;
using WString_out = callis::classic::StringOut<WChar>;
static_assert(sizeof(String_member) == sizeof(char*) && sizeof(WString_member) == sizeof(WChar*));

}  // namespace CORBA::inline callis_orb
