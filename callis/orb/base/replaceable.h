// SPDX-License-Identifier: Apache-2.0
// Replaceable<T>: a Counted pointer that many threads read and few replace. Reading takes no lock: readers are
// counted while they take a count of the object, and objects replaced meanwhile are let go later.
#pragma once
#include <callis/orb/base/counted.h>
#include <atomic>
#include <cstdint>
#include <memory>

namespace callis::orb {

template <class T>
class Replaceable final {
 public:
  Replaceable() = default;
  ~Replaceable() { (void)Counted<T>::adopt(p_.load(std::memory_order_acquire)); }
  Replaceable(const Replaceable&) = delete;
  Replaceable& operator=(const Replaceable&) = delete;

  explicit operator bool() const noexcept { return p_.load(std::memory_order_acquire) != nullptr; }
  bool is(const T* p) const noexcept { return p_.load(std::memory_order_acquire) == p; }

  Counted<T> get() const noexcept {
    if (!*this) return {};
    readers_.fetch_add(1, std::memory_order_seq_cst);
    Counted<T> found(p_.load(std::memory_order_seq_cst));
    readers_.fetch_sub(1, std::memory_order_seq_cst);
    return found;
  }

  // A list of replaced objects, which lets go of all when it ends.
  struct Old {
    Counted<T> what;
    std::unique_ptr<Old> next;
    ~Old() {
      while (next) next = std::move(next->next);
    }
  };

  // Called by one thread at a time, under a lock of the caller's. The caller deletes the result outside the lock. A
  // reader after the exchange finds the new object. An earlier reader is counted, or has its count already.
  [[nodiscard]] std::unique_ptr<Old> replace(Counted<T> by) {
    auto old = std::make_unique<Old>();
    old->what = Counted<T>::adopt(p_.exchange(by.detach(), std::memory_order_seq_cst));
    old->next = std::move(replaced_);
    if (readers_.load(std::memory_order_seq_cst) == 0) return old;
    replaced_ = std::move(old);
    return nullptr;
  }

 private:
  std::atomic<T*> p_{nullptr};  // owns a count
  mutable std::atomic<std::uint32_t> readers_{0};
  std::unique_ptr<Old> replaced_;  // readers may be about to take counts of these objects
};

}  // namespace callis::orb
