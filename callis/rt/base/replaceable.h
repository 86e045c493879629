// SPDX-License-Identifier: Apache-2.0
// Replaceable<T>: a value of an ORB that programs replace while threads use it. A former value is deleted at the
// first change after which no thread can be using it. The first value is kept until the end: most programs have no
// other value, and users of the first value pay for no count.
#pragma once
#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace callis::rt {

// Any thread.
template <class T>
class Replaceable final {
 public:
  explicit Replaceable(std::unique_ptr<T> first = nullptr) : first_(std::move(first)), now_(first_.get()) {}

  // The value of now, which lasts at least as long as the Use. Takes no lock and does not wait.
  class Use final {
   public:
    explicit Use(const Replaceable& of) noexcept : value_(of.now_.load(std::memory_order_acquire)) {
      if (value_ == of.first_.get() || !value_) [[likely]] return;
      users_ = &of.users_[of.side_.load(std::memory_order_relaxed)];
      // Counted before the value is looked up: whoever replaces it after that sees the count.
      users_->fetch_add(1, std::memory_order_seq_cst);
      value_ = of.now_.load(std::memory_order_seq_cst);
    }
    ~Use() {
      if (users_) users_->fetch_sub(1, std::memory_order_release);
    }
    Use(const Use&) = delete;
    Use& operator=(const Use&) = delete;

    T* operator->() const noexcept { return value_; }
    explicit operator bool() const noexcept { return value_ != nullptr; }

   private:
    T* value_;
    std::atomic<std::uint32_t>* users_ = nullptr;
  };

  Use use() const noexcept { return Use(*this); }
  // For who knows that it is not replaced meanwhile.
  T* now() const noexcept { return now_.load(std::memory_order_acquire); }

  // nullptr: there is none from now on. Values that are deleted may call set() themselves.
  void set(std::unique_ptr<T> next) {
    std::vector<std::unique_ptr<T>> unused;  // deleted when the lock is no longer held
    const std::lock_guard lock(mutex_);
    replaced_.reserve(replaced_.size() + 1);
    unused.reserve(replaced_.size() + 1);
    now_.store(next.get(), std::memory_order_seq_cst);
    if (held_) replaced_.push_back({std::move(held_), {true, true}});
    held_ = std::move(next);
    find_unused(unused);
  }

 private:
  // Its users, if there are any, are counted on the sides that have not been without users since it was replaced.
  struct Replaced {
    std::unique_ptr<T> value;
    std::array<bool, 2> may_be_used_on;
  };

  void find_unused(std::vector<std::unique_ptr<T>>& unused) {
    for (std::size_t side = 0; side < users_.size(); ++side)
      if (users_[side].load(std::memory_order_seq_cst) == 0)
        for (Replaced& each : replaced_) each.may_be_used_on[side] = false;
    std::erase_if(replaced_, [&](Replaced& each) {
      if (each.may_be_used_on[0] || each.may_be_used_on[1]) return false;
      unused.push_back(std::move(each.value));
      return true;
    });
    // New users go to the side that has none, so that the other comes to have none, too, however many there are.
    const std::size_t other = 1 - side_.load(std::memory_order_relaxed);
    if (users_[other].load(std::memory_order_relaxed) == 0) side_.store(other, std::memory_order_relaxed);
  }

  const std::unique_ptr<T> first_;
  std::atomic<T*> now_;
  std::atomic<std::size_t> side_{0};
  mutable std::array<std::atomic<std::uint32_t>, 2> users_{};
  std::mutex mutex_;
  std::unique_ptr<T> held_;  // the value of now, unless it is the first
  std::vector<Replaced> replaced_;
};

}  // namespace callis::rt
