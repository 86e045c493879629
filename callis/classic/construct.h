// SPDX-License-Identifier: Apache-2.0
// Arrays of values in memory that holds nothing: what <memory> and <algorithm> have under like names, without their
// tens of thousands of lines. Every file of generated code includes this.
#pragma once
#include <cstddef>
#include <new>

namespace callis::classic {

// The first of some values; when a constructor throws, they are gone again.
template <class T>
class Constructed final {
 public:
  explicit Constructed(T* first) noexcept : first_(first), end_(first) {}
  Constructed(const Constructed&) = delete;
  Constructed& operator=(const Constructed&) = delete;
  ~Constructed() {
    while (end_ != first_) (--end_)->~T();
  }
  void add() {
    ::new (static_cast<void*>(end_)) T;
    ++end_;
  }
  void add(const T& from) {
    ::new (static_cast<void*>(end_)) T(from);
    ++end_;
  }
  void keep() noexcept { first_ = end_; }

 private:
  T* first_;
  T* end_;
};

template <class T>
void construct_n(T* to, std::size_t n) {
  Constructed<T> made(to);
  for (std::size_t i = 0; i < n; ++i) made.add();
  made.keep();
}
template <class T>
void construct_copies(T* to, const T* from, std::size_t n) {
  Constructed<T> made(to);
  for (std::size_t i = 0; i < n; ++i) made.add(from[i]);
  made.keep();
}
template <class T>
void destroy_n(T* values, std::size_t n) noexcept {
  for (std::size_t i = 0; i < n; ++i) values[i].~T();
}
template <class T>
void assign_n(T* to, const T* from, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) to[i] = from[i];
}

}  // namespace callis::classic
