// SPDX-License-Identifier: Apache-2.0
// T_var and T_out for structs, sequences and arrays (C++ mapping 1.3, 4.9 and 4.14).
//
//   FixedVar<T>             structs of fixed length
//   VariableVar<T>          structs of variable length
//   SequenceVar<T>          sequences: operator[] goes to the elements
//   FixedArrayVar<A>        arrays of fixed length; A is the array type, a slice is what it decays to
//   VariableArrayVar<A>     arrays of variable length
//   VariableOut<T>, VariableArrayOut<A>   out parameters of variable length; fixed ones are T& and slice*
//
// A var owns what it points to: values come from new, arrays from array_allocate() (X_alloc). Null at first.
// in() and operator-> of a null var are errors of the program.
#pragma once
#include <callis/classic/elements.h>
#include <concepts>
#include <utility>

namespace callis::classic {

// What the vars of structs and sequences have in common.
template <class T, class Derived>
class VarBase {
 public:
  T* operator->() noexcept { return p_; }
  const T* operator->() const noexcept { return p_; }
  operator T&() noexcept { return *p_; }
  operator const T&() const noexcept { return *p_; }
  const T& in() const noexcept { return *p_; }
  T& inout() noexcept { return *p_; }
  T* ptr() const noexcept { return p_; }

 protected:
  VarBase() noexcept = default;
  explicit VarBase(T* p) noexcept : p_(p) {}
  VarBase(const VarBase& o) : p_(o.p_ ? new T(*o.p_) : nullptr) {}
  VarBase(VarBase&& o) noexcept : p_(std::exchange(o.p_, nullptr)) {}
  ~VarBase() { delete p_; }
  VarBase& operator=(const VarBase& o) {
    if (this != &o) reset(o.p_ ? new T(*o.p_) : nullptr);
    return *this;
  }
  VarBase& operator=(VarBase&& o) noexcept {
    if (this != &o) reset(std::exchange(o.p_, nullptr));
    return *this;
  }
  void reset(T* p) noexcept {
    if (p != p_) delete std::exchange(p_, p);
  }

  T* p_ = nullptr;
};

template <class T>
class FixedVar final : public VarBase<T, FixedVar<T>> {
  using Base = VarBase<T, FixedVar<T>>;

 public:
  FixedVar() noexcept = default;
  FixedVar(T* p) noexcept : Base(p) {}
  FixedVar(const T& value) : Base(new T(value)) {}
  FixedVar& operator=(T* p) noexcept { return this->reset(p), *this; }
  FixedVar& operator=(const T& value) {
    out() = value;
    return *this;
  }
  // Storage for an out parameter, made when there is none.
  T& out() {
    if (!this->p_) this->p_ = new T();
    return *this->p_;
  }
  T _retn() const { return *this->p_; }
};

template <class T>
class VariableVar : public VarBase<T, VariableVar<T>> {
  using Base = VarBase<T, VariableVar<T>>;

 public:
  VariableVar() noexcept = default;
  VariableVar(T* p) noexcept : Base(p) {}
  VariableVar(const T& value) : Base(new T(value)) {}
  VariableVar& operator=(T* p) noexcept { return this->reset(p), *this; }
  VariableVar& operator=(const T& value) {
    if (this->p_) *this->p_ = value;
    else this->p_ = new T(value);
    return *this;
  }
  // Frees the old value.
  T*& out() noexcept {
    this->reset(nullptr);
    return this->p_;
  }
  T* _retn() noexcept { return std::exchange(this->p_, nullptr); }
};

template <class T>
class SequenceVar final : public VariableVar<T> {
 public:
  using VariableVar<T>::VariableVar;
  SequenceVar() noexcept = default;
  using VariableVar<T>::operator=;
  decltype(auto) operator[](CORBA::ULong index) { return (*this->p_)[index]; }
  decltype(auto) operator[](CORBA::ULong index) const { return std::as_const(*this->p_)[index]; }
};

template <class T, class Var = VariableVar<T>>
class VariableOut {
 public:
  VariableOut(T*& p) noexcept : p_(p) { p_ = nullptr; }
  VariableOut(Var& v) noexcept : p_(v.out()) {}
  VariableOut(const VariableOut&) noexcept = default;  // trivial: passed in a register

  VariableOut& operator=(const VariableOut& o) noexcept {
    p_ = o.p_;
    return *this;
  }
  VariableOut& operator=(T* p) noexcept {
    p_ = p;
    return *this;
  }
  operator T*&() const noexcept { return p_; }
  T*& ptr() const noexcept { return p_; }
  T* operator->() const noexcept { return p_; }
  T& operator*() const noexcept { return *p_; }
  decltype(auto) operator[](CORBA::ULong index) const { return (*p_)[index]; }

 private:
  T*& p_;
};

// Arrays. A is T[n] or T[n][m]...; Slice<A> is what a pointer to its first element points to.
template <class A>
using Slice = std::remove_extent_t<A>;

// Elements made empty; nullptr when memory is exhausted.
template <class A>
Slice<A>* array_allocate() {
  void* p = marshal::value_allocate(sizeof(A));
  if (p && !Values<A>::trivial()) Values<A>::fill_empty(static_cast<A*>(p), 1);
  return static_cast<Slice<A>*>(p);
}
template <class A>
void array_free(Slice<A>* slice) noexcept {
  if (!slice) return;
  Values<A>::destroy(reinterpret_cast<A*>(slice), 1);
  marshal::value_free(slice);
}
template <class A>
void array_copy(Slice<A>* to, const Slice<A>* from) {
  using Flat = typename Values<A>::Flat;
  if (to != from)
    assign_n(reinterpret_cast<Flat*>(to), reinterpret_cast<const Flat*>(from), sizeof(A) / sizeof(Flat));
}
// nullptr for nullptr, and when memory is exhausted.
template <class A>
Slice<A>* array_duplicate(const Slice<A>* from) {
  Slice<A>* to = from ? array_allocate<A>() : nullptr;
  if (!to) return nullptr;
  try {
    array_copy<A>(to, from);
  } catch (...) {
    array_free<A>(to);
    throw;
  }
  return to;
}

template <class A>
class ArrayVarBase {
 public:
  Slice<A>& operator[](std::integral auto index) noexcept { return p_[index]; }
  const Slice<A>& operator[](std::integral auto index) const noexcept { return p_[index]; }
  operator Slice<A>*() noexcept { return p_; }
  operator const Slice<A>*() const noexcept { return p_; }
  const Slice<A>* in() const noexcept { return p_; }
  Slice<A>* inout() noexcept { return p_; }
  Slice<A>* ptr() const noexcept { return p_; }
  // The caller owns the result.
  Slice<A>* _retn() noexcept { return std::exchange(p_, nullptr); }

 protected:
  ArrayVarBase() noexcept = default;
  explicit ArrayVarBase(Slice<A>* p) noexcept : p_(p) {}
  ArrayVarBase(const ArrayVarBase& o) : p_(copy(o.p_)) {}
  ArrayVarBase(ArrayVarBase&& o) noexcept : p_(o._retn()) {}
  ~ArrayVarBase() { array_free<A>(p_); }
  ArrayVarBase& operator=(const ArrayVarBase& o) {
    if (this != &o) reset(copy(o.p_));
    return *this;
  }
  ArrayVarBase& operator=(ArrayVarBase&& o) noexcept {
    if (this != &o) reset(o._retn());
    return *this;
  }
  void reset(Slice<A>* p) noexcept {
    if (p != p_) array_free<A>(std::exchange(p_, p));
  }

  Slice<A>* p_ = nullptr;

 private:
  static Slice<A>* copy(const Slice<A>* from) {
    Slice<A>* to = array_duplicate<A>(from);
    if (from && !to) throw_no_memory();
    return to;
  }
};

template <class A>
class FixedArrayVar final : public ArrayVarBase<A> {
 public:
  FixedArrayVar() noexcept = default;
  FixedArrayVar(Slice<A>* p) noexcept : ArrayVarBase<A>(p) {}
  FixedArrayVar& operator=(Slice<A>* p) noexcept { return this->reset(p), *this; }
  // Storage for an out parameter, made when there is none.
  Slice<A>* out() {
    if (!this->p_ && !(this->p_ = array_allocate<A>())) throw_no_memory();
    return this->p_;
  }
};

template <class A>
class VariableArrayVar final : public ArrayVarBase<A> {
 public:
  VariableArrayVar() noexcept = default;
  VariableArrayVar(Slice<A>* p) noexcept : ArrayVarBase<A>(p) {}
  VariableArrayVar& operator=(Slice<A>* p) noexcept { return this->reset(p), *this; }
  // Frees the old value.
  Slice<A>*& out() noexcept {
    this->reset(nullptr);
    return this->p_;
  }
};

template <class A>
class VariableArrayOut {
 public:
  VariableArrayOut(Slice<A>*& p) noexcept : p_(p) { p_ = nullptr; }
  VariableArrayOut(VariableArrayVar<A>& v) noexcept : p_(v.out()) {}
  VariableArrayOut(const VariableArrayOut&) noexcept = default;  // trivial: passed in a register

  VariableArrayOut& operator=(const VariableArrayOut& o) noexcept {
    p_ = o.p_;
    return *this;
  }
  VariableArrayOut& operator=(Slice<A>* p) noexcept {
    p_ = p;
    return *this;
  }
  operator Slice<A>*&() const noexcept { return p_; }
  Slice<A>*& ptr() const noexcept { return p_; }
  Slice<A>& operator[](std::integral auto index) const noexcept { return p_[index]; }

 private:
  Slice<A>*& p_;
};

}  // namespace callis::classic
