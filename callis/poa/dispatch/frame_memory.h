// SPDX-License-Identifier: Apache-2.0
// FrameMemory: zeroed memory for one server frame: on the stack up to kInlineBytes, else from the heap.
#pragma once
#include <cstddef>
#include <cstring>
#include <new>

namespace callis::poa {

class FrameMemory final {
 public:
  static constexpr std::size_t kInlineBytes = 2048;
  static constexpr std::size_t kInlineAlignment = 16;

  // get() is nullptr when memory is exhausted.
  FrameMemory(std::size_t bytes, std::size_t alignment) noexcept {
    if (bytes > kInlineBytes || alignment > kInlineAlignment) [[unlikely]] allocate(bytes, alignment);
    else if (bytes > 8 * kInlineAlignment) std::memset(inline_, 0, bytes);
    else for (std::size_t i = 0; i < bytes; i += kInlineAlignment) __builtin_memset(inline_ + i, 0, kInlineAlignment);
  }
  ~FrameMemory() {
    if (heap_) ::operator delete(heap_, alignment_);
  }
  FrameMemory(const FrameMemory&) = delete;
  FrameMemory& operator=(const FrameMemory&) = delete;

  void* get() noexcept { return at_; }

 private:
  [[gnu::cold, gnu::noinline]] void allocate(std::size_t bytes, std::size_t alignment) noexcept {
    alignment_ = std::align_val_t{alignment < kInlineAlignment ? kInlineAlignment : alignment};
    at_ = heap_ = ::operator new(bytes, alignment_, std::nothrow);
    if (at_) std::memset(at_, 0, bytes);
  }

  void* at_ = inline_;
  void* heap_ = nullptr;
  std::align_val_t alignment_{kInlineAlignment};
  alignas(kInlineAlignment) std::byte inline_[kInlineBytes];
};

}  // namespace callis::poa
