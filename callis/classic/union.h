// SPDX-License-Identifier: Apache-2.0
// What generated union classes (C++ mapping 1.3, 4.12) are written with. A union is `struct { D d; union { ... } u;
// }` as callis/marshal/memory.h says; all zeros are a union that owns nothing.
#pragma once
#include <callis/classic/elements.h>
#include <cstring>
#include <type_traits>

namespace callis::classic {

// Of a member's place, which holds nothing before make_x() and after unmake().
template <class T>
void make_empty(T& place) {
  Values<T>::fill_empty(&place, 1);
}
// When it throws, the place holds nothing.
template <class T>
void make_copy(T& place, const T& from) {
  Values<T>::copy_into(&place, &from, 1);
}
template <class T>
void unmake(T& place) noexcept {
  Values<T>::destroy(&place, 1);
}

template <class T>
void zero(T& value) noexcept {
  std::memset(static_cast<void*>(&value), 0, sizeof value);
}
// Bitwise: values own nothing that points back at them. `to` held nothing, or holds the same already.
template <class T>
void copy_bytes(T& to, const T& from) noexcept {
  std::memcpy(static_cast<void*>(&to), static_cast<const void*>(&from), sizeof to);
}
template <class T>
void swap_bytes(T& a, T& b) noexcept {
  unsigned char saved[sizeof a];
  std::memcpy(saved, static_cast<const void*>(&a), sizeof a);
  copy_bytes(a, b);
  std::memcpy(static_cast<void*>(&b), saved, sizeof b);
}

// Zeros for a union that is being made, and that copy_bytes() takes over: never destroyed.
template <class U>
class Blank final {
 public:
  U& operator*() noexcept { return *reinterpret_cast<U*>(memory_); }
  U* operator->() noexcept { return reinterpret_cast<U*>(memory_); }

 private:
  alignas(U) unsigned char memory_[sizeof(U)] = {};
};

// CORBA::BAD_PARAM: _d(value) that would change the member, and access to a member that is not selected.
[[noreturn]] void throw_other_member();

}  // namespace callis::classic
