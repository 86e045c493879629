// SPDX-License-Identifier: Apache-2.0
#include <callis/marshal/internal/array.h>
#include <cstring>

namespace callis::marshal {

void* RawArray::grow(std::size_t n, std::size_t each) {
  if (n > capacity_ - size_) {
    const std::size_t room = size_ + (n > size_ + 3 ? n : size_ + 3);
    if (room > SIZE_MAX / 2 / each) throw std::bad_alloc();
    void* const p = ::operator new(room * each);
    if (size_ != 0) std::memcpy(p, data_, size_ * each);
    ::operator delete(std::exchange(data_, p));
    capacity_ = room;
  }
  void* const to = static_cast<char*>(data_) + size_ * each;
  size_ += n;
  return to;
}

void RawArray::append(const void* from, std::size_t n, std::size_t each) {
  if (n != 0) std::memcpy(grow(n, each), from, n * each);
}

}  // namespace callis::marshal
