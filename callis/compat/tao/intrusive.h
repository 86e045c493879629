// SPDX-License-Identifier: Apache-2.0
// TAO_Intrusive_Ref_Count_Base, an object with a count of its holders, and TAO_Intrusive_Ref_Count_Handle, a holder.
#pragma once
#include <tao/callis.h>
#include <atomic>
#include <utility>

// LOCK is what TAO guards the count with; here the count is atomic.
template <class LOCK>
class TAO_Intrusive_Ref_Count_Base {
 public:
  virtual ~TAO_Intrusive_Ref_Count_Base() = default;
  void _add_ref() { count_.fetch_add(1, std::memory_order_relaxed); }
  void _remove_ref() {
    if (count_.fetch_sub(1, std::memory_order_acq_rel) == 1) delete this;
  }
  CORBA::ULong _ref_count() const { return count_.load(std::memory_order_relaxed); }
  TAO_Intrusive_Ref_Count_Base(const TAO_Intrusive_Ref_Count_Base&) = delete;
  TAO_Intrusive_Ref_Count_Base& operator=(const TAO_Intrusive_Ref_Count_Base&) = delete;

 protected:
  TAO_Intrusive_Ref_Count_Base() = default;

 private:
  std::atomic<CORBA::ULong> count_{1};
};

template <class T>
class TAO_Intrusive_Ref_Count_Handle {
 public:
  TAO_Intrusive_Ref_Count_Handle() = default;
  // Takes over the caller's count, unless add_ref.
  explicit TAO_Intrusive_Ref_Count_Handle(T* p, bool add_ref = true) : p_(p) {
    if (add_ref) add();
  }
  TAO_Intrusive_Ref_Count_Handle(const TAO_Intrusive_Ref_Count_Handle& o) : p_(o.p_) { add(); }
  ~TAO_Intrusive_Ref_Count_Handle() { drop(); }
  TAO_Intrusive_Ref_Count_Handle& operator=(const TAO_Intrusive_Ref_Count_Handle& o) {
    TAO_Intrusive_Ref_Count_Handle copy(o);
    std::swap(p_, copy.p_);
    return *this;
  }
  TAO_Intrusive_Ref_Count_Handle& operator=(T* p) {
    if (p != p_) {
      drop();
      p_ = p;
    }
    return *this;
  }
  T* operator->() const { return p_; }
  T& operator*() const { return *p_; }
  bool operator==(const TAO_Intrusive_Ref_Count_Handle& o) const { return p_ == o.p_; }
  operator bool() const { return p_ != nullptr; }
  bool is_nil() const { return p_ == nullptr; }
  T* in() const { return p_; }
  T*& inout() { return p_; }
  T*& out() {
    drop();
    p_ = nullptr;
    return p_;
  }
  T* _retn() { return std::exchange(p_, nullptr); }

 private:
  void add() {
    if (p_) p_->_add_ref();
  }
  void drop() {
    if (p_) p_->_remove_ref();
  }
  T* p_ = nullptr;
};
