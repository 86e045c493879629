// SPDX-License-Identifier: Apache-2.0
#include <callis/base/arena.h>
#include <cstdlib>
#include <utility>

namespace callis {

struct alignas(Arena::kAlignment) Arena::Block {
  Block* older;
  std::size_t room;
  Byte* bytes() { return reinterpret_cast<Byte*>(this + 1); }
};

void* Arena::grow(std::size_t bytes) noexcept {
  std::size_t room = block_ ? 2 * block_->room : kFirstBlock;
  if (room > kKeepBytes) room = kKeepBytes;
  if (bytes > SIZE_MAX - kAlignment - sizeof(Block)) return nullptr;
  bytes = align_up(bytes, kAlignment);
  if (room < bytes) room = bytes;
  Block* b = static_cast<Block*>(std::malloc(sizeof(Block) + room));
  if (!b) return nullptr;
  *b = {block_, room};
  block_ = b;
  at_ = b->bytes() + bytes;
  end_ = b->bytes() + room;
  return b->bytes();
}

// The largest block that may be kept serves the next request alone.
void Arena::rewind() noexcept {
  Block* keep = nullptr;
  while (block_) {
    Block* const older = block_->older;
    Block* worse = block_;
    if (block_->room <= kKeepBytes && (!keep || block_->room > keep->room)) worse = std::exchange(keep, block_);
    std::free(worse);
    block_ = older;
  }
  at_ = end_ = nullptr;
  if (!keep) return;
  keep->older = nullptr;
  block_ = keep;
  at_ = keep->bytes();
  end_ = at_ + keep->room;
}

void Arena::free_blocks() noexcept {
  while (block_) std::free(std::exchange(block_, block_->older));
}

}  // namespace callis
