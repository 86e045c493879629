// SPDX-License-Identifier: Apache-2.0
// X_var, X_out and what stands for a member or element of type X, for an interface X (C++ mapping 1.3,
// 4.3 and 4.8). X_ptr is X*.
//
// X may be incomplete where functions of the same namespace say how to count its references:
//
//     X* callis_duplicate(X*);    // one more reference; nil stays nil
//     void callis_release(X*);    // one less; nil is left alone
//
// Generated code declares them for every interface, forward-declared ones included. Without them X::_duplicate
// and CORBA::release are used, as they stand in local interfaces.
#pragma once
#include <concepts>
#include <cstddef>
#include <utility>

namespace callis::classic {

template <class X>
X* duplicate_reference(X* p) {
  if constexpr (requires { { callis_duplicate(p) } -> std::same_as<X*>; }) {
    return callis_duplicate(p);
  } else {
    return X::_duplicate(p);
  }
}

template <class X>
void release_reference(X* p) noexcept {
  if constexpr (requires { callis_release(p); }) {
    callis_release(p);
  } else {
    release(p);  // CORBA::release, found through X's bases
  }
}

// INV_OBJREF, for a call through a _var, an _out or an element that is nil.
[[noreturn, gnu::cold]] void call_on_nil();

// Also the type of members and array elements: nil at first, a copy counts.
template <class X>
class ReferenceVar {
 public:
  ReferenceVar() noexcept = default;
  // Takes over the caller's count.
  ReferenceVar(X* p) noexcept : p_(p) {}
  ReferenceVar(const ReferenceVar& o) : p_(duplicate_reference(o.p_)) {}
  ReferenceVar(ReferenceVar&& o) noexcept : p_(o._retn()) {}
  ~ReferenceVar() { release_reference(p_); }

  ReferenceVar& operator=(X* p) noexcept {
    if (p_ != p || !p) release_reference(std::exchange(p_, p));
    else release_reference(p);  // one count too many
    return *this;
  }
  ReferenceVar& operator=(const ReferenceVar& o) {
    if (this != &o) *this = duplicate_reference(o.p_);
    return *this;
  }
  ReferenceVar& operator=(ReferenceVar&& o) noexcept {
    if (this != &o) *this = o._retn();
    return *this;
  }

  // INV_OBJREF for nil: C++ defines nothing for a call through a null pointer.
  X* operator->() const {
    if (!p_) [[unlikely]] call_on_nil();
    return p_;
  }
  operator X*&() noexcept { return p_; }
  operator X* const&() const noexcept { return p_; }

  X* in() const noexcept { return p_; }
  X*& inout() noexcept { return p_; }
  X*& out() noexcept {
    release_reference(std::exchange(p_, nullptr));
    return p_;
  }
  // The caller owns the result; this is nil afterwards.
  X* _retn() noexcept { return std::exchange(p_, nullptr); }
  X* ptr() const noexcept { return p_; }

 private:
  X* p_ = nullptr;
};
static_assert(sizeof(ReferenceVar<int>) == sizeof(void*));

// operator[] of a sequence of references: refers to the element, releases the old value on assignment only
// when the sequence owns it.
template <class X>
class ReferenceElement {
 public:
  ReferenceElement(X*& slot, bool release) noexcept : slot_(slot), release_(release) {}
  ReferenceElement(const ReferenceElement&) noexcept = default;

  ReferenceElement& operator=(X* p) noexcept {
    if (release_) release_reference(slot_);
    slot_ = p;
    return *this;
  }
  ReferenceElement& operator=(const ReferenceElement& o) { return *this = duplicate_reference(o.slot_); }
  ReferenceElement& operator=(const ReferenceVar<X>& o) { return *this = duplicate_reference(o.in()); }

  X* operator->() const {
    if (!slot_) [[unlikely]] call_on_nil();
    return slot_;
  }
  operator X*&() const noexcept { return slot_; }
  X* in() const noexcept { return slot_; }
  X*& inout() const noexcept { return slot_; }
  X*& out() noexcept {
    *this = static_cast<X*>(nullptr);
    return slot_;
  }
  X* _retn() noexcept { return std::exchange(slot_, nullptr); }

 private:
  X*& slot_;
  bool release_;
};

template <class X>
class ReferenceOut {
 public:
  ReferenceOut(X*& p) noexcept : p_(p) { p_ = nullptr; }
  ReferenceOut(ReferenceVar<X>& v) noexcept : p_(v.out()) {}
  ReferenceOut(ReferenceElement<X> e) noexcept : p_(e.out()) {}
  ReferenceOut(const ReferenceOut&) noexcept = default;  // trivial: passed in a register

  ReferenceOut& operator=(const ReferenceOut& o) noexcept {
    p_ = o.p_;
    return *this;
  }
  ReferenceOut& operator=(const ReferenceVar<X>& v) {
    p_ = duplicate_reference(v.in());
    return *this;
  }
  ReferenceOut& operator=(X* p) noexcept {
    p_ = p;
    return *this;
  }
  operator X*&() const noexcept { return p_; }
  X*& ptr() const noexcept { return p_; }
  X* operator->() const {
    if (!p_) [[unlikely]] call_on_nil();
    return p_;
  }

 private:
  X*& p_;
};

}  // namespace callis::classic
