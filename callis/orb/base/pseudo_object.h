// SPDX-License-Identifier: Apache-2.0
// The base of pseudo-objects that are nothing but counted memory (C++ mapping 1.3): NamedValue, NVList, Context.
#pragma once
#include <callis/classic/reference.h>
#include <callis/classic/types.h>
#include <atomic>
#include <cstddef>
#include <new>

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
    if (count_.fetch_sub(1, std::memory_order_acq_rel) == 1) X::callis_end(static_cast<X*>(this));
  }

  PseudoObject(const PseudoObject&) = delete;
  PseudoObject& operator=(const PseudoObject&) = delete;

 protected:
  PseudoObject() noexcept = default;
  ~PseudoObject() = default;
  // Classes whose objects lie in blocks have one of their own.
  static void callis_end(X* ended) noexcept { delete ended; }

 private:
  std::atomic<CORBA::ULong> count_{1};
};

// One piece of memory for pseudo-objects that are made together, and usually released together. Each of them has a
// count of its own, and a pointer to its block; the memory is freed with the last of them. Any thread.
//
// A class whose objects lie in blocks has a callis_end() that destroys the object and leaves the block.
class Block final {
 public:
  // Room for so many bytes, aligned as `new` does. Throws std::bad_alloc. The first object need not enter().
  static Block& make(std::size_t bytes) { return *::new (::operator new(sizeof(Block) + bytes)) Block; }
  void* memory() noexcept { return this + 1; }
  // The block whose memory() that is.
  static Block& of(void* memory) noexcept { return *(static_cast<Block*>(memory) - 1); }
  Block(const Block&) = delete;
  Block& operator=(const Block&) = delete;

  void enter() noexcept { objects_.fetch_add(1, std::memory_order_relaxed); }
  void leave() noexcept {
    if (objects_.fetch_sub(1, std::memory_order_acq_rel) == 1) ::operator delete(static_cast<void*>(this));
  }

 private:
  Block() noexcept = default;
  alignas(__STDCPP_DEFAULT_NEW_ALIGNMENT__) std::atomic<CORBA::ULong> objects_{1};
};

}  // namespace callis::orb
