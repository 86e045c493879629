// SPDX-License-Identifier: Apache-2.0
// CORBA::Any (C++ mapping 1.3, 4.20): a TypeCode and a value of that type.
//
// Copies of an Any share its value, which never changes once it is there: inserting replaces it. Several threads may
// read one Any, extraction included; what extraction gives by pointer belongs to the Any, as long as that is neither
// changed nor destroyed. operator<<= with a value copies it, with a pointer to one takes it over. operator>>= is
// false, and gives nil, zero or nothing, where the Any has another type (TypeCode::equivalent) or its value came from
// a peer and is bad. Exhausted memory is CORBA::NO_MEMORY, a TypeCode that has no values BAD_TYPECODE.
//
// An Any that was received keeps the bytes and decodes them when its value is asked for; where it is only passed on,
// the bytes are.
#pragma once
#include <callis/classic/sequence.h>
#include <callis/classic/string.h>
#include <callis/classic/var.h>
#include <callis/marshal/memory.h>
#include <callis/typecode/type_code.h>
#include <callis/value/basic_sequences.h>

namespace CORBA::inline callis_orb {

class AbstractBase;
class Fixed;
class Object;
class ValueBase;

class Any {
 public:
  using _var_type = callis::classic::VariableVar<Any>;

  Any() noexcept : slot_{nullptr, nullptr} {}
  Any(const Any& o) noexcept;
  Any(Any&& o) noexcept : slot_(std::exchange(o.slot_, {nullptr, nullptr})) {}
  // The value in memory; release: it is taken over, else copied. nullptr: as many zeros.
  Any(TypeCode_ptr type, void* value, Boolean release = false);
  Any& operator=(const Any& o) noexcept;
  Any& operator=(Any&& o) noexcept {
    std::swap(slot_, o.slot_);
    return *this;
  }
  ~Any();

  // To be released; that of tk_null for an empty Any.
  TypeCode_ptr type() const;
  // Another TypeCode for the same value: BAD_TYPECODE when it is not equivalent.
  void type(TypeCode_ptr type);
  // The value in memory, of type(), laid out as the mapping says; nullptr when there is none. The Any's.
  const void* value() const;
  void replace(TypeCode_ptr type, void* value, Boolean release = false);
  // TAO's: a value of zeros of that type.
  void _tao_set_typecode(TypeCode_ptr type) { replace(type, nullptr); }

  // Types that C++ does not tell apart from others.
  struct from_boolean {
    explicit from_boolean(Boolean b) noexcept : val(b) {}
    Boolean val;
  };
  struct from_octet {
    explicit from_octet(Octet o) noexcept : val(o) {}
    Octet val;
  };
  struct from_char {
    explicit from_char(Char c) noexcept : val(c) {}
    Char val;
  };
  struct from_wchar {
    explicit from_wchar(WChar c) noexcept : val(c) {}
    WChar val;
  };
  // nocopy: the string is taken over.
  struct from_string {
    from_string(char* s, ULong b, Boolean n = false) noexcept : val(s), bound(b), nocopy(n) {}
    from_string(const char* s, ULong b) noexcept : val(const_cast<char*>(s)), bound(b), nocopy(false) {}
    char* val;
    ULong bound;
    Boolean nocopy;
  };
  struct from_wstring {
    from_wstring(WChar* s, ULong b, Boolean n = false) noexcept : val(s), bound(b), nocopy(n) {}
    from_wstring(const WChar* s, ULong b) noexcept : val(const_cast<WChar*>(s)), bound(b), nocopy(false) {}
    WChar* val;
    ULong bound;
    Boolean nocopy;
  };
  struct from_fixed {
    from_fixed(const Fixed& f, UShort d, UShort s) noexcept : val(f), digits(d), scale(s) {}
    const Fixed& val;
    UShort digits, scale;
  };

  void operator<<=(from_boolean f);
  void operator<<=(from_octet f);
  void operator<<=(from_char f);
  void operator<<=(from_wchar f);
  void operator<<=(from_string f);
  void operator<<=(from_wstring f);
  void operator<<=(from_fixed f);

  struct to_boolean {
    explicit to_boolean(Boolean& b) noexcept : ref(b) {}
    Boolean& ref;
  };
  struct to_octet {
    explicit to_octet(Octet& o) noexcept : ref(o) {}
    Octet& ref;
  };
  struct to_char {
    explicit to_char(Char& c) noexcept : ref(c) {}
    Char& ref;
  };
  struct to_wchar {
    explicit to_wchar(WChar& c) noexcept : ref(c) {}
    WChar& ref;
  };
  struct to_string {
    to_string(const char*& s, ULong b) noexcept : val(s), bound(b) {}
    to_string(char*& s, ULong b) noexcept : val(const_cast<const char*&>(s)), bound(b) {}
    const char*& val;
    ULong bound;
  };
  struct to_wstring {
    to_wstring(const WChar*& s, ULong b) noexcept : val(s), bound(b) {}
    to_wstring(WChar*& s, ULong b) noexcept : val(const_cast<const WChar*&>(s)), bound(b) {}
    const WChar*& val;
    ULong bound;
  };
  struct to_fixed {
    to_fixed(Fixed& f, UShort d, UShort s) noexcept : val(f), digits(d), scale(s) {}
    Fixed& val;
    UShort digits, scale;
  };
  // Of any interface, and counted: the caller releases it, or the _var that is given does. (Extracted by
  // callis/orb/core/any.cpp, as abstract bases are.)
  struct to_object {
    explicit to_object(Object*& o) noexcept : ref(o) {}
    template <class Out>
      requires requires(const Out& o) { o.ptr(); }
    explicit to_object(const Out& o) noexcept : ref(o.ptr()) {}
    template <class Var>
      requires requires(Var& v) { v.out(); }
    explicit to_object(Var& v) noexcept : ref(v.out()) {}
    Object*& ref;
  };
  struct to_abstract_base {
    explicit to_abstract_base(AbstractBase*& b) noexcept : ref(b) {}
    template <class Var>
      requires requires(Var& v) { v.out(); }
    explicit to_abstract_base(Var& v) noexcept : ref(v.out()) {}
    AbstractBase*& ref;
  };
  // Of any valuetype, and counted.
  struct to_value {
    explicit to_value(ValueBase*& b) noexcept : ref(b) {}
    template <class Var>
      requires requires(Var& v) { v.out(); }
    explicit to_value(Var& v) noexcept : ref(v.out()) {}
    ValueBase*& ref;
  };

  Boolean operator>>=(to_boolean t) const;
  Boolean operator>>=(to_octet t) const;
  Boolean operator>>=(to_char t) const;
  Boolean operator>>=(to_wchar t) const;
  Boolean operator>>=(to_string t) const;
  Boolean operator>>=(to_wstring t) const;
  Boolean operator>>=(to_fixed t) const;
  Boolean operator>>=(to_object t) const;
  Boolean operator>>=(to_abstract_base t) const;
  Boolean operator>>=(to_value t) const;

  callis::marshal::AnySlot& callis_slot() noexcept { return slot_; }
  const callis::marshal::AnySlot& callis_slot() const noexcept { return slot_; }

 private:
  callis::marshal::AnySlot slot_;
};
static_assert(sizeof(Any) == sizeof(callis::marshal::AnySlot));

using Any_ptr = Any*;
using Any_var = callis::classic::VariableVar<Any>;
using Any_out = callis::classic::VariableOut<Any>;

}  // namespace CORBA::inline callis_orb

namespace callis::typecode {

// What the operators of generated code call. `value` is the value in memory: of strings, references, values and
// TypeCodes the pointer.
void insert(CORBA::Any& any, CORBA::TypeCode_ptr type, const void* value);
// Takes over what `new` or X_alloc made, also when it throws.
void adopt(CORBA::Any& any, CORBA::TypeCode_ptr type, void* value);
// Takes over what the memory at value owns, a pointer, which is null afterwards. The memory remains the caller's.
void adopt_slot(CORBA::Any& any, CORBA::TypeCode_ptr type, void* value);
// nullptr where the Any has no such value.
const void* extract(const CORBA::Any& any, CORBA::TypeCode_ptr type) noexcept;

void insert_exception(CORBA::Any& any, CORBA::TypeCode_ptr type, const CORBA::Exception& value);
void adopt_exception(CORBA::Any& any, CORBA::TypeCode_ptr type, CORBA::Exception* value);
const CORBA::Exception* extract_exception(const CORBA::Any& any, CORBA::TypeCode_ptr type,
                                          CORBA::UserException* (*create)()) noexcept;

template <class T>
inline bool extract_pointer(const CORBA::Any& any, CORBA::TypeCode_ptr type, const T*& to) noexcept {
  to = static_cast<const T*>(extract(any, type));
  return to != nullptr;
}
// Of primitives, enums, strings, references: what lies in memory is the result. The Any keeps what it points to.
template <class T>
inline bool extract_value(const CORBA::Any& any, CORBA::TypeCode_ptr type, T& to) noexcept {
  const void* const p = extract(any, type);
  if (p) to = *static_cast<const T*>(p);
  else if constexpr (std::is_pointer_v<T>) to = nullptr;
  return p != nullptr;
}
template <class E>
inline bool extract_exception(const CORBA::Any& any, CORBA::TypeCode_ptr type, const E*& to) noexcept {
  to = static_cast<const E*>(extract_exception(any, type, &classic::create_exception<E>));
  return to != nullptr;
}

// The base of X_forany, which stands for an array X in an Any; owns nothing.
template <class A>
class ArrayForAny {
 public:
  using Slice = classic::Slice<A>;
  ArrayForAny() noexcept = default;
  // nocopy: inserting takes the array over.
  ArrayForAny(Slice* p, CORBA::Boolean nocopy = false) noexcept : p_(p), nocopy_(nocopy) {}
  ArrayForAny(const Slice* p) noexcept : p_(const_cast<Slice*>(p)) {}

  Slice& operator[](CORBA::ULong i) noexcept { return p_[i]; }
  const Slice& operator[](CORBA::ULong i) const noexcept { return p_[i]; }
  operator Slice*() noexcept { return p_; }
  operator const Slice*() const noexcept { return p_; }
  const Slice* in() const noexcept { return p_; }
  Slice* inout() noexcept { return p_; }
  Slice*& out() noexcept { return p_ = nullptr, p_; }
  Slice* _retn() noexcept { return std::exchange(p_, nullptr); }
  Slice* ptr() const noexcept { return p_; }
  CORBA::Boolean nocopy() const noexcept { return nocopy_; }

 private:
  Slice* p_ = nullptr;
  CORBA::Boolean nocopy_ = false;
};
template <class A>
void insert_array(CORBA::Any& any, CORBA::TypeCode_ptr type, const ArrayForAny<A>& array) {
  if (array.nocopy()) adopt(any, type, array.ptr());
  else insert(any, type, array.ptr());
}
template <class A>
bool extract_array(const CORBA::Any& any, CORBA::TypeCode_ptr type, ArrayForAny<A>& to) noexcept {
  using Slice = typename ArrayForAny<A>::Slice;
  to.out() = const_cast<Slice*>(static_cast<const Slice*>(extract(any, type)));
  return to.ptr() != nullptr;
}

// A new Any of an integer, character, boolean or enum.
CORBA::Any* new_scalar_any(const CORBA::TypeCode& type, std::uint64_t value);

// The link of a type in its table (table.h), behind aliases; nullptr: none.
const void* link_of(const CORBA::TypeCode& type) noexcept;

// Naming it links the library that teaches the engine what an Any and a TypeCode are.
extern const int anchor;

}  // namespace callis::typecode

namespace CORBA::inline callis_orb {

inline void operator<<=(Any& a, Short v) { callis::typecode::insert(a, _tc_short, &v); }
inline void operator<<=(Any& a, UShort v) { callis::typecode::insert(a, _tc_ushort, &v); }
inline void operator<<=(Any& a, Long v) { callis::typecode::insert(a, _tc_long, &v); }
inline void operator<<=(Any& a, ULong v) { callis::typecode::insert(a, _tc_ulong, &v); }
inline void operator<<=(Any& a, LongLong v) { callis::typecode::insert(a, _tc_longlong, &v); }
inline void operator<<=(Any& a, ULongLong v) { callis::typecode::insert(a, _tc_ulonglong, &v); }
inline void operator<<=(Any& a, Float v) { callis::typecode::insert(a, _tc_float, &v); }
inline void operator<<=(Any& a, Double v) { callis::typecode::insert(a, _tc_double, &v); }
inline void operator<<=(Any& a, LongDouble v) { callis::typecode::insert(a, _tc_longdouble, &v); }
inline void operator<<=(Any& a, const char* s) { callis::typecode::insert(a, _tc_string, &s); }
inline void operator<<=(Any& a, const WChar* s) { callis::typecode::insert(a, _tc_wstring, &s); }
inline void operator<<=(Any& a, const Any& v) { callis::typecode::insert(a, _tc_any, &v); }
template <class = void>
inline void operator<<=(Any& a, Any* v) {
  callis::typecode::adopt(a, _tc_any, v);
}
inline void operator<<=(Any& a, TypeCode_ptr t) { callis::typecode::insert(a, _tc_TypeCode, &t); }
inline void operator<<=(Any& a, TypeCode_ptr* t) { callis::typecode::adopt_slot(a, _tc_TypeCode, t); }
inline void operator<<=(Any& a, Object* o) { callis::typecode::insert(a, _tc_Object, &o); }
inline void operator<<=(Any& a, Object** o) { callis::typecode::adopt_slot(a, _tc_Object, o); }

// These would go as other types than they are: from_boolean and the like are meant.
void operator<<=(Any& a, bool) = delete;
void operator<<=(Any& a, char) = delete;
void operator<<=(Any& a, unsigned char) = delete;
void operator<<=(Any& a, wchar_t) = delete;
// Nor would an array, which is a pointer to its first element, too. For the compiler this is no worse than the
// operators that take such a pointer over, for these are templates: it refuses. An array of characters goes as a
// string.
template <class T, std::size_t N>
  requires(!std::is_same_v<std::remove_cv_t<T>, char> && !std::is_same_v<std::remove_cv_t<T>, WChar>)
void operator<<=(Any& a, T (&)[N]) = delete;  // an array X goes into an Any as `any <<= X_forany(array)`

inline Boolean operator>>=(const Any& a, Short& v) { return callis::typecode::extract_value(a, _tc_short, v); }
inline Boolean operator>>=(const Any& a, UShort& v) { return callis::typecode::extract_value(a, _tc_ushort, v); }
inline Boolean operator>>=(const Any& a, Long& v) { return callis::typecode::extract_value(a, _tc_long, v); }
inline Boolean operator>>=(const Any& a, ULong& v) { return callis::typecode::extract_value(a, _tc_ulong, v); }
inline Boolean operator>>=(const Any& a, LongLong& v) { return callis::typecode::extract_value(a, _tc_longlong, v); }
inline Boolean operator>>=(const Any& a, ULongLong& v) {
  return callis::typecode::extract_value(a, _tc_ulonglong, v);
}
inline Boolean operator>>=(const Any& a, Float& v) { return callis::typecode::extract_value(a, _tc_float, v); }
inline Boolean operator>>=(const Any& a, Double& v) { return callis::typecode::extract_value(a, _tc_double, v); }
inline Boolean operator>>=(const Any& a, LongDouble& v) {
  return callis::typecode::extract_value(a, _tc_longdouble, v);
}
// The Any's, as for all that follow.
inline Boolean operator>>=(const Any& a, const char*& s) { return callis::typecode::extract_value(a, _tc_string, s); }
inline Boolean operator>>=(const Any& a, const WChar*& s) {
  return callis::typecode::extract_value(a, _tc_wstring, s);
}
inline Boolean operator>>=(const Any& a, const Any*& v) { return callis::typecode::extract_pointer(a, _tc_any, v); }
// As older programs have it; nothing may be written there.
inline Boolean operator>>=(const Any& a, char*& s) { return a >>= const_cast<const char*&>(s); }
inline Boolean operator>>=(const Any& a, WChar*& s) { return a >>= const_cast<const WChar*&>(s); }
inline Boolean operator>>=(const Any& a, Any*& v) { return a >>= const_cast<const Any*&>(v); }
inline Boolean operator>>=(const Any& a, TypeCode_ptr& t) {
  return callis::typecode::extract_value(a, _tc_TypeCode, t);
}
inline Boolean operator>>=(const Any& a, Object*& o) { return callis::typecode::extract_value(a, _tc_Object, o); }

}  // namespace CORBA::inline callis_orb

#include <callis/typecode/basic_sequences.h>  // whoever sees an Any may put these in
