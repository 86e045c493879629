// SPDX-License-Identifier: Apache-2.0
// Array: what builders need of std::vector, without code for each element type: it grows by moving bytes, so elements
// must not mind (no pointers into themselves). std::bad_alloc when memory is exhausted.
//
// If an Array has a Work, its allocations are charged to the Work, and given back when they are freed.
#pragma once
#include <callis/marshal/work.h>
#include <cstddef>
#include <cstdint>
#include <new>
#include <type_traits>
#include <utility>

namespace callis::marshal {

class RawArray {
 public:
  // Of what is allocated from now on; nullptr: nobody's. Before the first element is added, or to make what is there
  // the owner's for good.
  void charge_to(Work* work) { work_ = work; }

 protected:
  RawArray() = default;
  RawArray(RawArray&& o) noexcept : data_(o.data_), work_(o.work_), size_(o.size_), room_bytes_(o.room_bytes_) {
    o.data_ = nullptr;
    o.size_ = o.room_bytes_ = 0;
  }
  RawArray(const RawArray&) = delete;
  RawArray& operator=(const RawArray&) = delete;
  ~RawArray();
  void swap(RawArray& o) noexcept {
    std::swap(data_, o.data_);
    std::swap(work_, o.work_);
    std::swap(size_, o.size_);
    std::swap(room_bytes_, o.room_bytes_);
  }
  // Room for n more elements of each bytes; where the first of them goes. Counts them in. exactly: there is to be no
  // room for more.
  void* grow(std::size_t n, std::size_t each, bool exactly = false);
  // The same from elsewhere.
  void append(const void* from, std::size_t n, std::size_t each);

  void* data_ = nullptr;
  Work* work_ = nullptr;
  std::uint32_t size_ = 0, room_bytes_ = 0;
};

template <class T>
class Array : public RawArray {
 public:
  Array() = default;
  explicit Array(Work* work) { charge_to(work); }
  Array(Array&&) noexcept = default;
  Array& operator=(Array&& o) noexcept {
    swap(o);
    return *this;
  }
  ~Array() { clear(); }

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  T* data() { return static_cast<T*>(data_); }
  const T* data() const { return static_cast<const T*>(data_); }
  T* begin() { return data(); }
  T* end() { return data() + size_; }
  const T* begin() const { return data(); }
  const T* end() const { return data() + size_; }
  T& operator[](std::size_t i) { return data()[i]; }
  const T& operator[](std::size_t i) const { return data()[i]; }
  T& front() { return data()[0]; }
  const T& front() const { return data()[0]; }
  T& back() { return data()[size_ - 1]; }
  const T& back() const { return data()[size_ - 1]; }

  void push_back(T v) { ::new (grow(1, sizeof(T))) T(std::move(v)); }
  void pop_back() { data()[--size_].~T(); }
  void clear() { drop(0); }
  void append(const Array& other) { RawArray::append(other.data_, other.size_, sizeof(T)); }
  // The same with no room for more.
  void resize_exactly(std::size_t n) {
    T* const first = static_cast<T*>(grow(n - size_, sizeof(T), true));
    for (T* p = first; p != end(); ++p) ::new (p) T();
  }
  // n >= size(): the new ones are value-initialised; n < size(): the last are dropped.
  void resize(std::size_t n) {
    if (n <= size_) return drop(n);
    T* const first = static_cast<T*>(grow(n - size_, sizeof(T)));
    for (T* p = first; p != end(); ++p) ::new (p) T();
  }

 private:
  void drop(std::size_t n) {
    if constexpr (std::is_trivially_destructible_v<T>) size_ = static_cast<std::uint32_t>(n);
    else while (size_ > n) pop_back();
  }
};

}  // namespace callis::marshal
