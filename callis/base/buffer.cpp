// SPDX-License-Identifier: Apache-2.0
#include <callis/base/buffer.h>
#include <cstdlib>
#include <cstring>

namespace callis {

Buffer& Buffer::operator=(Buffer&& o) noexcept {
  if (this != &o) {
    release();
    data_ = o.data_;
    size_ = o.size_;
    capacity_ = o.capacity_;
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
  if (want < total) return false;  // wrapped
  // malloc gives 16-byte alignment on every platform we support; realloc keeps it.
  void* p = std::realloc(data_, want + kSlop);
  if (!p) return false;
  data_ = static_cast<Byte*>(p);
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

void Buffer::drop_front(std::size_t n) {
  if (n == 0) return;
  size_ -= n;
  if (size_ != 0) std::memmove(data_, data_ + n, size_);
}

void Buffer::shrink(std::size_t keep) {
  if (capacity_ > keep) release();
}

void Buffer::release() noexcept {
  std::free(data_);
  forget();
}

}  // namespace callis
