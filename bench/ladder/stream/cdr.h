// SPDX-License-Identifier: Apache-2.0
// The interpreters' CDR stream: a place in a message, and a put or get for each size of primitive. Each put aligns,
// zeroes the padding, and looks whether there is room; each get aligns, looks whether there are bytes, and swaps when
// the message has the other order.
//
// The same class on all rungs. How its small functions are compiled is what differs (small.h):
//   LADDER_CALLED      the original: each is a function of its own, called
//   otherwise          inlined wherever they are used
//   LADDER_OUTLINED    and the compiler told that failures are rare
#pragma once
#include <callis/base/buffer.h>
#include <cstdint>

namespace ladder {

using callis::Byte;

#ifdef LADDER_CALLED
#define LADDER_SMALL [[gnu::noinline]]
#else
#define LADDER_SMALL [[gnu::always_inline]] inline
#endif

// The next multiple of a power of two.
LADDER_SMALL std::uintptr_t ptr_align_binary(const void* p, std::size_t alignment);

class CDR {
 public:
  // To append to a buffer; its size is right after finish().
  explicit CDR(callis::Buffer& to)
      : next_(to.data() + to.size()), end_(to.data() + to.capacity()), buffer_(&to), swap_(false) {}
  // To read bytes, whose first is where alignment counts from and is aligned itself.
  CDR(const Byte* from, const Byte* end, bool swap)
      : next_(const_cast<Byte*>(from)), end_(const_cast<Byte*>(end)), buffer_(nullptr), swap_(swap) {}

  bool put_byte(std::uint8_t v);
  bool put_short(std::uint16_t v);
  bool put_long(std::uint32_t v);
  bool put_longlong(std::uint64_t v);
  bool put_string(const char* s, std::uint32_t bound);  // 0: no bound
  bool get_byte(std::uint8_t& v);
  bool get_short(std::uint16_t& v);
  bool get_long(std::uint32_t& v);
  bool get_longlong(std::uint64_t& v);
  bool get_string(char*& s, std::uint32_t bound);  // allocates
  bool skip_string();
  bool skip_bytes(std::size_t n);

  const Byte* next() const { return next_; }
  std::size_t remaining() const { return static_cast<std::size_t>(end_ - next_); }
  void finish() { buffer_->set_size(static_cast<std::size_t>(next_ - buffer_->data())); }

 private:
  bool make_room(std::size_t n);
  template<class T>
  bool put(T v);
  template<class T>
  bool get(T& v);
  bool grow(std::size_t n);

  Byte *next_, *end_;
  callis::Buffer* buffer_;
  bool swap_;
};

}  // namespace ladder

#ifndef LADDER_CALLED
#include "small.h"
#endif
