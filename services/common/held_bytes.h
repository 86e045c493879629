// SPDX-License-Identifier: Apache-2.0
// HeldBytes: the bytes of something that grows and shrinks all the time, such as a queue, taken from a MemoryBound in
// pieces, so that most changes take no lock. It stands alone since queues know no ORB, and MemoryBound does.
//
//   HeldBytes kept(bound.take(0));     // for the client whose request the thread serves
//   if (!kept.reach(bytes)) ...        // there is no room for so many
//   kept.settle(bytes);                // so many are left
//
// Made of nothing it counts nothing, and there is always room. One thread at a time.
#pragma once
#include <services/common/memory_bound.h>
#include <algorithm>

namespace callis::services {

class HeldBytes final {
 public:
  HeldBytes() = default;
  explicit HeldBytes(MemoryBound::Hold hold) : hold_(std::move(hold)), counts_(hold_.counts()) {}

  // Holds `bytes` at least; false: there is no room for them, and nothing has changed.
  [[nodiscard]] bool reach(std::size_t bytes) noexcept {
    if (!counts_ || bytes <= hold_.bytes()) return true;
    return hold_.try_resize(bytes + slack(bytes)) || hold_.try_resize(bytes);
  }
  // Gives back what is far more than `bytes` need.
  void settle(std::size_t bytes) noexcept {
    if (counts_ && hold_.bytes() > bytes + 4 * slack(bytes)) (void)hold_.try_resize(bytes + slack(bytes));
  }
  std::size_t held() const { return hold_.bytes(); }

 private:
  static constexpr std::size_t kPiece = 4096;
  static std::size_t slack(std::size_t bytes) { return std::max(kPiece, bytes / 8); }

  MemoryBound::Hold hold_;
  bool counts_ = false;
};

}  // namespace callis::services
