// SPDX-License-Identifier: Apache-2.0
// Arena: memory for what lives no longer than one request: taken in order, given back all at once.
//
// Nothing is destroyed; only plain data may live here. Blocks are kept for the next request, up to
// kKeepBytes of them. One owner, one thread at a time.
#pragma once
#include <callis/base/bytes.h>

namespace callis {

class Arena final {
 public:
  static constexpr std::size_t kFirstBlock = 4u << 10;
  static constexpr std::size_t kKeepBytes = 64u << 10;
  static constexpr std::size_t kAlignment = alignof(std::max_align_t);  // as malloc aligns

  Arena() = default;
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;
  ~Arena() { free_blocks(); }

  // bytes > 0; aligned to kAlignment, not initialised; valid until reset(). nullptr when memory is exhausted.
  void* allocate(std::size_t bytes) noexcept {
    const std::size_t left = static_cast<std::size_t>(end_ - at_);
    if (bytes > left) [[unlikely]] return grow(bytes);
    void* const p = at_;
    at_ += align_up(bytes, kAlignment) < left ? align_up(bytes, kAlignment) : left;
    return p;
  }
  // Takes everything back.
  void reset() noexcept {
    if (block_) rewind();
  }

 private:
  struct Block;
  void* grow(std::size_t bytes) noexcept;
  void rewind() noexcept;
  void free_blocks() noexcept;

  Byte* at_ = nullptr;
  Byte* end_ = nullptr;
  Block* block_ = nullptr;  // the one in use, then the older ones
};

}  // namespace callis
