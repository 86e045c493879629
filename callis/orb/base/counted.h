// SPDX-License-Identifier: Apache-2.0
// Counted<T>: a pointer that holds one count of an object with add_ref() and release().
#pragma once
#include <utility>

namespace callis::orb {

template <class T>
class Counted final {
 public:
  Counted() = default;
  // Adds a count of its own.
  explicit Counted(T* p) noexcept : p_(p) { if (p_) p_->add_ref(); }
  // Takes over a count that the caller holds.
  static Counted adopt(T* p) noexcept {
    Counted c;
    c.p_ = p;
    return c;
  }
  Counted(const Counted& o) noexcept : Counted(o.p_) {}
  Counted(Counted&& o) noexcept : p_(std::exchange(o.p_, nullptr)) {}
  Counted& operator=(Counted o) noexcept {
    std::swap(p_, o.p_);
    return *this;
  }
  ~Counted() { if (p_) p_->release(); }

  T* get() const noexcept { return p_; }
  T& operator*() const noexcept { return *p_; }
  T* operator->() const noexcept { return p_; }
  explicit operator bool() const noexcept { return p_ != nullptr; }
  // Hands the count to the caller.
  T* detach() noexcept { return std::exchange(p_, nullptr); }

 private:
  T* p_ = nullptr;
};

}  // namespace callis::orb
