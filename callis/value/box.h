// SPDX-License-Identifier: Apache-2.0
// Boxed values (C++ mapping 1.3, 4.17.7): what generated classes derive from, by kind of what is in the box. X is the
// generated class; T the C++ type.
//
//   ScalarBox<X, T>       primitives, enums
//   ReferenceBox<X, I>    interfaces: counts the reference
//   StringBox<X, Var>     strings and wide strings
//   FixedBox<X, T>        structs, unions and fixed of fixed length
//   VariableBox<X, T>     structs, unions and anys of variable length
//   SequenceBox<X, T>     sequences, with their own functions
//   ArrayBox<X, A>        arrays
//
// _boxed_in(), _boxed_inout() and _boxed_out() give the content to an operation as an argument of those modes.
#pragma once
#include <callis/classic/sequence.h>
#include <callis/classic/string.h>
#include <callis/classic/var.h>
#include <callis/value/value_base.h>
#include <utility>

namespace callis::value {

// A box whose content is kept behind a pointer, so that _boxed_out() can hand it out. There is always one but between
// _boxed_out() and what the operation puts there.
template <class T>
class Content {
 public:
  Content() : p_(new T()) {}
  explicit Content(const T& value) : p_(new T(value)) {}
  explicit Content(T* adopted) noexcept : p_(adopted) {}
  Content(const Content& o) : p_(new T(*o)) {}
  Content& operator=(const Content&) = delete;
  ~Content() { delete p_; }
  T& operator*() const {
    if (!p_) p_ = new T();
    return *p_;
  }
  T*& out() {
    delete std::exchange(p_, nullptr);
    return p_;
  }

 private:
  mutable T* p_;
};

class BoxBase : public CORBA::DefaultValueRefCountBase {
 protected:
  BoxBase() = default;
  BoxBase(const BoxBase& o) : CORBA::ValueBase(o), CORBA::DefaultValueRefCountBase(o) {}
};

template <class X, class T>
class ScalarBox : public BoxBase {
 public:
  ScalarBox() = default;
  ScalarBox(T value) : value_(value) {}
  X& operator=(T value) { return value_ = value, static_cast<X&>(*this); }
  T _value() const { return value_; }
  void _value(T value) { value_ = value; }
  T _boxed_in() const { return value_; }
  T& _boxed_inout() { return value_; }
  T& _boxed_out() { return value_; }

 protected:
  ScalarBox(const ScalarBox&) = default;
  void* callis_content() noexcept { return &value_; }

 private:
  T value_{};
};

template <class X, class I>
class ReferenceBox : public BoxBase {
 public:
  ReferenceBox() = default;
  ReferenceBox(I* reference) : value_(classic::duplicate_reference(reference)) {}
  X& operator=(I* reference) { return _value(reference), static_cast<X&>(*this); }
  I* _value() const { return value_.in(); }
  void _value(I* reference) { value_ = classic::duplicate_reference(reference); }
  I* _boxed_in() const { return value_.in(); }
  I*& _boxed_inout() { return value_.inout(); }
  I*& _boxed_out() { return value_.out(); }

 protected:
  ReferenceBox(const ReferenceBox&) = default;
  void* callis_content() noexcept { return &value_; }

 private:
  classic::ReferenceVar<I> value_;
};

// Member is String_member or WString_member, Var String_var or WString_var.
template <class X, class C, class Member, class Var>
class StringBox : public BoxBase {
 public:
  StringBox() = default;
  StringBox(C* adopted) : value_(adopted) {}
  StringBox(const C* text) : value_(text) {}
  StringBox(const Var& text) : value_(text) {}
  X& operator=(C* adopted) { return value_ = adopted, static_cast<X&>(*this); }
  X& operator=(const C* text) { return value_ = text, static_cast<X&>(*this); }
  X& operator=(const Var& text) { return value_ = text, static_cast<X&>(*this); }
  const C* _value() const { return value_.in(); }
  void _value(C* adopted) { value_ = adopted; }
  void _value(const C* text) { value_ = text; }
  void _value(const Var& text) { value_ = text; }
  const C* _boxed_in() const { return value_.in(); }
  C*& _boxed_inout() { return value_.inout(); }
  C*& _boxed_out() { return value_.out(); }
  C& operator[](CORBA::ULong index) { return value_[index]; }
  C operator[](CORBA::ULong index) const { return value_[index]; }

 protected:
  StringBox(const StringBox&) = default;
  void* callis_content() noexcept { return &value_; }

 private:
  Member value_;
};

template <class X, class T>
class FixedBox : public BoxBase {
 public:
  FixedBox() = default;
  FixedBox(const T& value) : value_(value) {}
  X& operator=(const T& value) { return value_ = value, static_cast<X&>(*this); }
  const T& _value() const { return value_; }
  T& _value() { return value_; }
  void _value(const T& value) { value_ = value; }
  const T& _boxed_in() const { return value_; }
  T& _boxed_inout() { return value_; }
  T& _boxed_out() { return value_; }

 protected:
  FixedBox(const FixedBox&) = default;
  void* callis_content() noexcept { return &value_; }

 private:
  T value_{};
};

template <class X, class T>
class VariableBox : public BoxBase {
 public:
  VariableBox() = default;
  VariableBox(const T& value) : value_(value) {}
  X& operator=(const T& value) { return *value_ = value, static_cast<X&>(*this); }
  const T& _value() const { return *value_; }
  T& _value() { return *value_; }
  void _value(const T& value) { *value_ = value; }
  const T& _boxed_in() const { return *value_; }
  T& _boxed_inout() { return *value_; }
  T*& _boxed_out() { return value_.out(); }

 protected:
  explicit VariableBox(T* adopted) noexcept : value_(adopted) {}
  VariableBox(const VariableBox&) = default;
  void* callis_content() { return &*value_; }

 private:
  Content<T> value_;
};

template <class X, class T>
class SequenceBox : public VariableBox<X, T> {
 public:
  using VariableBox<X, T>::VariableBox;
  using VariableBox<X, T>::operator=;
  SequenceBox() = default;
  // As the sequence's constructors of these arguments.
  explicit SequenceBox(CORBA::ULong max)
    requires std::constructible_from<T, CORBA::ULong>
      : VariableBox<X, T>(new T(max)) {}
  SequenceBox(CORBA::ULong max, CORBA::ULong length, typename T::Slot* buffer, CORBA::Boolean release = false)
    requires std::constructible_from<T, CORBA::ULong>
      : VariableBox<X, T>(new T(max, length, buffer, release)) {}
  SequenceBox(CORBA::ULong length, typename T::Slot* buffer, CORBA::Boolean release = false)
    requires(!std::constructible_from<T, CORBA::ULong>)
      : VariableBox<X, T>(new T(length, buffer, release)) {}
  CORBA::ULong maximum() const { return this->_value().maximum(); }
  CORBA::ULong length() const { return this->_value().length(); }
  void length(CORBA::ULong n) { this->_value().length(n); }
  decltype(auto) operator[](CORBA::ULong index) { return this->_value()[index]; }
  decltype(auto) operator[](CORBA::ULong index) const { return this->_value()[index]; }

 protected:
  SequenceBox(const SequenceBox&) = default;
};

// Slices go in and out by pointer; _boxed_out() gives it by reference where the element is of variable length.
template <class X, class A, bool Variable>
class ArrayBox : public BoxBase {
  using Slice = classic::Slice<A>;

 public:
  ArrayBox() : p_(make()) {}
  ArrayBox(const Slice* value) : p_(make()) { classic::array_copy<A>(p_, value); }
  X& operator=(const Slice* value) { return _value(value), static_cast<X&>(*this); }
  const Slice* _value() const { return content(); }
  Slice* _value() { return content(); }
  void _value(const Slice* value) { classic::array_copy<A>(content(), value); }
  Slice& operator[](CORBA::ULong index) { return content()[index]; }
  const Slice& operator[](CORBA::ULong index) const { return content()[index]; }
  const Slice* _boxed_in() const { return content(); }
  Slice* _boxed_inout() { return content(); }
  std::conditional_t<Variable, Slice*&, Slice*> _boxed_out() {
    if constexpr (!Variable) {
      return content();
    } else {
      classic::array_free<A>(std::exchange(p_, nullptr));
      return p_;
    }
  }

 protected:
  ArrayBox(const ArrayBox& o) : CORBA::ValueBase(o), BoxBase(o), p_(make()) {
    classic::array_copy<A>(p_, o.content());
  }
  ~ArrayBox() override { classic::array_free<A>(p_); }
  void* callis_content() { return content(); }

 private:
  static Slice* make() {
    Slice* const p = classic::array_allocate<A>();
    if (!p) classic::throw_no_memory();
    return p;
  }
  Slice* content() const {
    if (!p_) p_ = make();
    return p_;
  }

  mutable Slice* p_;
};

}  // namespace callis::value
