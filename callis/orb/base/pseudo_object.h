// SPDX-License-Identifier: Apache-2.0
// The base of pseudo-objects that are nothing but counted memory (C++ mapping 1.3): NamedValue, NVList, Context.
#pragma once
#include <callis/classic/reference.h>
#include <callis/classic/types.h>
#include <atomic>

namespace callis::orb {

// X derives from PseudoObject<X>, which deletes the object. The maker of an object owns one count; any thread may
// count.
template <class X>
class PseudoObject {
 public:
  using _ptr_type = X*;
  using _var_type = classic::ReferenceVar<X>;

  static X* _duplicate(X* p) noexcept {
    if (p) p->_add_ref();
    return p;
  }
  static X* _nil() noexcept { return nullptr; }

  void _add_ref() noexcept { count_.fetch_add(1, std::memory_order_relaxed); }
  // A caller needs no count. Returns false if the last count has been given back: another thread deletes the object
  // then.
  [[nodiscard]] bool _try_add_ref() noexcept {
    CORBA::ULong n = count_.load(std::memory_order_relaxed);
    while (n != 0)
      if (count_.compare_exchange_weak(n, n + 1, std::memory_order_relaxed)) return true;
    return false;
  }
  void _remove_ref() noexcept {
    if (count_.fetch_sub(1, std::memory_order_acq_rel) == 1) delete static_cast<X*>(this);
  }

  PseudoObject(const PseudoObject&) = delete;
  PseudoObject& operator=(const PseudoObject&) = delete;

 protected:
  PseudoObject() noexcept = default;
  ~PseudoObject() = default;

 private:
  std::atomic<CORBA::ULong> count_{1};
};

}  // namespace callis::orb
