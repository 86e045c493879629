// SPDX-License-Identifier: Apache-2.0
// Strings of the classic mapping (C++ mapping 1.3, 4.7): char*, owned by whoever string_alloc'ed it.
//
//   String_var      owns a char*; null at first
//   String_member   the same as member of a struct or array; the empty string at first (4.11)
//   String_element  what operator[] of a sequence of strings returns: refers to the element and frees the
//                   old value on assignment only when the sequence owns it (4.13.1)
//   String_out      out parameter; nulls the caller's pointer (4.8)
//
// Assigning a char* takes it over, assigning a const char* copies. A copy that finds no memory throws
// CORBA::NO_MEMORY. The classes are not for several threads at once.
#pragma once
#include <callis/classic/exception.h>
#include <callis/marshal/memory.h>
#include <concepts>
#include <utility>

namespace CORBA {

// nullptr when memory is exhausted.
inline char* string_alloc(ULong length) { return callis::marshal::string_allocate(length); }
inline char* string_dup(const char* s) { return callis::marshal::string_duplicate(s); }
inline void string_free(char* s) { callis::marshal::string_free(s); }

}  // namespace CORBA

namespace callis::classic {

// string_dup() that throws CORBA::NO_MEMORY; nullptr stays nullptr.
inline char* duplicate(const char* s) {
  char* copy = marshal::string_duplicate(s);
  if (s && !copy) [[unlikely]] throw_no_memory();
  return copy;
}

// Makes an owned string a copy of another, in its own memory if that fits.
inline void assign_string(char*& slot, const char* s) {
  if (!marshal::string_assign(&slot, s)) [[unlikely]] throw_no_memory();
}

// What String_var and String_member share: Initial() is their value at first.
template <class Derived>
class StringHolder {
 public:
  StringHolder(const StringHolder&) = delete;
  StringHolder& operator=(const StringHolder&) = delete;

  operator char*&() noexcept { return p_; }
  // A reference, so that GCC does not warn wherever the operator above is chosen over this one.
  operator const char* const&() const noexcept { return const_cast<const char* const&>(p_); }
  const char* in() const noexcept { return p_; }
  char*& inout() noexcept { return p_; }
  char*& out() noexcept {
    reset(nullptr);
    return p_;
  }
  // The caller owns the result; this holds its initial value again.
  char* _retn() noexcept { return std::exchange(p_, Derived::initial()); }

  char& operator[](std::integral auto index) noexcept { return p_[index]; }
  char operator[](std::integral auto index) const noexcept { return p_[index]; }

 protected:
  explicit StringHolder(char* p) noexcept : p_(p) {}
  ~StringHolder() { marshal::string_free(p_); }
  void reset(char* p) noexcept {
    if (p == p_) return;
    marshal::string_free(p_);
    p_ = p;
  }
  // A copy of p, which may be a part of this.
  void assign(const char* p) { assign_string(p_, p); }

 private:
  char* p_;
};

}  // namespace callis::classic

namespace CORBA {

class String_var final : public callis::classic::StringHolder<String_var> {
  using Base = callis::classic::StringHolder<String_var>;

 public:
  static char* initial() noexcept { return nullptr; }

  String_var() noexcept : Base(nullptr) {}
  String_var(char* p) noexcept : Base(p) {}
  String_var(const char* p) : Base(callis::classic::duplicate(p)) {}
  String_var(const String_var& o) : Base(callis::classic::duplicate(o.in())) {}
  String_var(String_var&& o) noexcept : Base(o._retn()) {}
  // From the other holders of strings, by copy.
  template <class T>
    requires requires(const T& t) { { t.in() } -> std::same_as<const char*>; }
  String_var(const T& o) : Base(callis::classic::duplicate(o.in())) {}

  String_var& operator=(char* p) noexcept { return reset(p), *this; }
  String_var& operator=(const char* p) { return assign(p), *this; }
  String_var& operator=(const String_var& o) { return *this = o.in(); }
  String_var& operator=(String_var&& o) noexcept {
    if (this != &o) reset(o._retn());
    return *this;
  }
  template <class T>
    requires requires(const T& t) { { t.in() } -> std::same_as<const char*>; }
  String_var& operator=(const T& o) { return *this = o.in(); }
};

class String_member final : public callis::classic::StringHolder<String_member> {
  using Base = callis::classic::StringHolder<String_member>;

 public:
  static char* initial() noexcept { return callis::marshal::kEmptyString; }

  String_member() noexcept : Base(initial()) {}
  String_member(char* p) noexcept : Base(p) {}
  String_member(const char* p) : Base(callis::classic::duplicate(p)) {}
  String_member(const String_member& o) : Base(callis::classic::duplicate(o.in())) {}
  String_member(String_member&& o) noexcept : Base(o._retn()) {}
  template <class T>
    requires requires(const T& t) { { t.in() } -> std::same_as<const char*>; }
  String_member(const T& o) : Base(callis::classic::duplicate(o.in())) {}

  String_member& operator=(char* p) noexcept { return reset(p), *this; }
  String_member& operator=(const char* p) { return assign(p), *this; }
  String_member& operator=(const String_member& o) { return *this = o.in(); }
  String_member& operator=(String_member&& o) noexcept {
    if (this != &o) reset(o._retn());
    return *this;
  }
  template <class T>
    requires requires(const T& t) { { t.in() } -> std::same_as<const char*>; }
  String_member& operator=(const T& o) { return *this = o.in(); }
};
static_assert(sizeof(String_member) == sizeof(char*));

class String_element final {
 public:
  String_element(char*& slot, bool release) noexcept : slot_(slot), release_(release) {}
  String_element(const String_element&) noexcept = default;

  // These assign to the element, also through a const proxy.
  String_element& operator=(char* p) noexcept { return set(p), *this; }
  String_element& operator=(const char* p) {
    if (release_) callis::classic::assign_string(slot_, p);
    else slot_ = callis::classic::duplicate(p);
    return *this;
  }
  String_element& operator=(const String_element& o) { return *this = o.in(); }
  template <class T>
    requires requires(const T& t) { { t.in() } -> std::same_as<const char*>; }
  String_element& operator=(const T& o) { return *this = o.in(); }

  operator char*&() const noexcept { return slot_; }
  const char* in() const noexcept { return slot_; }
  char*& inout() const noexcept { return slot_; }
  char*& out() const noexcept {
    set(nullptr);
    return slot_;
  }
  // The caller owns the result; the element becomes the empty string.
  char* _retn() const noexcept { return std::exchange(slot_, callis::marshal::kEmptyString); }

 private:
  void set(char* p) const noexcept {
    if (release_ && slot_ != p) string_free(slot_);
    slot_ = p;
  }

  char*& slot_;
  bool release_;
};

class String_out final {
 public:
  String_out(char*& p) noexcept : p_(p) { p_ = nullptr; }
  String_out(String_var& v) noexcept : p_(v.out()) {}
  String_out(String_member& m) noexcept : p_(m.out()) {}
  String_out(const String_element& e) noexcept : p_(e.out()) {}
  String_out(const String_out&) noexcept = default;  // trivial: passed in a register

  String_out& operator=(const String_out& o) noexcept {
    p_ = o.p_;
    return *this;
  }
  String_out& operator=(char* p) noexcept {
    p_ = p;
    return *this;
  }
  String_out& operator=(const char* p) {
    p_ = callis::classic::duplicate(p);
    return *this;
  }
  operator char*&() const noexcept { return p_; }
  char*& ptr() const noexcept { return p_; }

 private:
  char*& p_;
};

}  // namespace CORBA
