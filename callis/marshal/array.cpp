// SPDX-License-Identifier: Apache-2.0
#include <callis/marshal/internal/array.h>
#include <cstring>

namespace callis::marshal {

RawArray::~RawArray() {
  if (work_) work_->give(room_bytes_);
  ::operator delete(data_);
}

void* RawArray::grow(std::size_t n, std::size_t each, bool exactly) {
  const std::size_t before = size_;
  if ((before + n) * each > room_bytes_) {
    const std::size_t room = (before + (exactly || n > before + 3 ? n : before + 3)) * each;
    if (room > UINT32_MAX) throw std::bad_alloc();
    RawArray fresh;
    fresh.work_ = work_;
    if (work_) work_->take(room);
    fresh.room_bytes_ = static_cast<std::uint32_t>(room);
    fresh.data_ = ::operator new(room);
    fresh.size_ = size_;
    if (before != 0) std::memcpy(fresh.data_, data_, before * each);
    swap(fresh);
  }
  size_ = static_cast<std::uint32_t>(before + n);
  return static_cast<char*>(data_) + before * each;
}

void RawArray::append(const void* from, std::size_t n, std::size_t each) {
  if (n != 0) std::memcpy(grow(n, each), from, n * each);
}

}  // namespace callis::marshal
