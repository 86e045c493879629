// SPDX-License-Identifier: Apache-2.0
// Replaceable<T>: a Counted pointer that many threads read and few replace. Reading takes no lock: readers are
// counted while they take a count of what they found, and what was replaced meanwhile is let go later.
#pragma once
#include <callis/orb/base/counted.h>
#include <atomic>
#include <cstdint>
#include <vector>

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

  // One thread at a time, under a lock of the caller's; what is returned is for letting go outside it. A reader that
  // comes after the exchange finds what is new; one that came before is counted, or has its count already.
  [[nodiscard]] std::vector<Counted<T>> replace(Counted<T> by) {
    replaced_.reserve(replaced_.size() + 1);
    T* const old = p_.exchange(by.detach(), std::memory_order_seq_cst);
    if (old) replaced_.push_back(Counted<T>::adopt(old));
    std::vector<Counted<T>> done;
    if (readers_.load(std::memory_order_seq_cst) == 0) done.swap(replaced_);
    return done;
  }

 private:
  std::atomic<T*> p_{nullptr};  // owns a count
  mutable std::atomic<std::uint32_t> readers_{0};
  std::vector<Counted<T>> replaced_;  // readers may be about to take counts of these
};

}  // namespace callis::orb
