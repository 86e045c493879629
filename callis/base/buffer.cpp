// SPDX-License-Identifier: Apache-2.0
// Growth of buffers, and the pages of large ones.
#include <callis/base/buffer.h>
#include <callis/base/peer_memory.h>
#include <cstdlib>
#include <cstring>
#include <sys/mman.h>
#include <utility>

namespace callis {
namespace {

// So large ones are mapped, each for itself, and grow where they are. malloc would keep some of them when they are
// freed, and leave holes of the sizes that growing buffers had before, in the arena of each thread: 100 MB under
// attack. Not under sanitizers: ThreadSanitizer does not hear of mremap(), and takes the bytes of a buffer for those
// of another that was there before.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr std::size_t kMapped = SIZE_MAX;
#else
constexpr std::size_t kMapped = 256u << 10;
#endif

// Has the system provide the pages that are new, all at once: each for itself, when it is written to, takes some ten
// times as long.
void provide([[maybe_unused]] Byte* data, [[maybe_unused]] std::size_t from, [[maybe_unused]] std::size_t to) {
#ifdef MADV_POPULATE_WRITE
  constexpr std::size_t kLargestPage = 64u << 10;
  const std::size_t begin = from / kLargestPage * kLargestPage;
  (void)::madvise(data + begin, to - begin, MADV_POPULATE_WRITE);  // does nothing before Linux 5.14
#endif
}

constexpr std::size_t on_account(std::size_t capacity) { return capacity > Buffer::kFree ? capacity : 0; }

}  // namespace

Buffer& Buffer::operator=(Buffer&& o) noexcept {
  if (this != &o) {
    release();
    data_ = o.data_;
    size_ = o.size_;
    capacity_ = o.capacity_;
    for_peer_ = o.for_peer_;
    o.forget();
  }
  return *this;
}

bool Buffer::reserve(std::size_t total) {
  if (total <= capacity_) return true;
  std::size_t want = capacity_ + capacity_ / 2;
  if (want < total) want = total;
  if (want < 256) want = 256;
  want = align_up(want, 16);
  if (want < total || want > SIZE_MAX - kSlop) return false;  // wrapped
  if (for_peer_) return grow_for_peer(want);
  // malloc aligns to 8 bytes at least on every platform we support; realloc keeps it.
  void* p = std::realloc(data_, want + kSlop);
  if (!p) return false;
  data_ = static_cast<Byte*>(p);
  capacity_ = want;
  return true;
}

bool Buffer::grow_for_peer(std::size_t want) noexcept {
  const std::size_t more = on_account(want) - on_account(capacity_);
  if (more != 0 && !PeerMemory::take(more, want)) return false;
  void* p;
  if (want < kMapped) {
    p = std::realloc(data_, want + kSlop);
  } else {
    p = capacity_ >= kMapped
            ? ::mremap(data_, capacity_ + kSlop, want + kSlop, MREMAP_MAYMOVE)
            : ::mmap(nullptr, want + kSlop, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (p == MAP_FAILED) p = nullptr;
    if (p && capacity_ < kMapped) {
      if (capacity_ != 0) std::memcpy(p, data_, capacity_);
      std::free(data_);
    }
  }
  if (!p) {
    PeerMemory::give(more);
    return false;
  }
  data_ = static_cast<Byte*>(p);
  if (want >= kMapped) provide(data_, capacity_, want);
  capacity_ = want;
  return true;
}

bool Buffer::append(ByteView bytes) {
  if (bytes.empty()) return true;
  if (bytes.size() > capacity_ - size_ && !reserve(size_ + bytes.size())) return false;
  std::memcpy(data_ + size_, bytes.data(), bytes.size());
  size_ += bytes.size();
  return true;
}

[[gnu::hot]] void Buffer::drop_front(std::size_t n) {
  if (n == 0) return;
  size_ -= n;
  if (size_ != 0) std::memmove(data_, data_ + n, size_);
}

void Buffer::shrink(std::size_t keep) {
  if (capacity_ > keep) release();
}

void Buffer::release() noexcept {
  if (for_peer_ && capacity_ > kFree) {
    PeerMemory::give(on_account(capacity_));
    if (capacity_ >= kMapped) ::munmap(std::exchange(data_, nullptr), capacity_ + kSlop);
  }
  std::free(data_);
  forget();
}

}  // namespace callis
