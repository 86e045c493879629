// SPDX-License-Identifier: Apache-2.0
// What of the stream is never inlined; and, for the original, all of it.
#include <callis/marshal/memory.h>
#include "small.h"

namespace ladder {

#ifndef LADDER_CALLED
std::uint16_t swapped(std::uint16_t v) { return callis::byte_swap(v); }
std::uint32_t swapped(std::uint32_t v) { return callis::byte_swap(v); }
std::uint64_t swapped(std::uint64_t v) { return callis::byte_swap(v); }
#endif

bool CDR::grow(std::size_t n) {
  finish();
  const std::size_t used = buffer_->size();
  if (!buffer_->reserve(used + n)) return false;
  next_ = buffer_->data() + used;
  end_ = buffer_->data() + buffer_->capacity();
  return true;
}

bool CDR::put_string(const char* s, std::uint32_t bound) {
  if (s == nullptr) return false;
  const std::size_t length = std::strlen(s);
  if (length >= UINT32_MAX || (bound != 0 && length > bound)) return false;
  if (!put_long(static_cast<std::uint32_t>(length + 1)) || !make_room(length + 1)) return false;
  std::memcpy(next_, s, length + 1);
  next_ += length + 1;
  return true;
}

bool CDR::get_string(char*& s, std::uint32_t bound) {
  std::uint32_t length;  // with the NUL; from the peer
  if (!get_long(length) || length == 0 || length > remaining()) return false;
  if (next_[length - 1] != 0 || std::memchr(next_, 0, length - 1)) return false;
  if (bound != 0 && length - 1 > bound) return false;
  char* const copy = callis::marshal::string_allocate(length - 1);
  if (!copy) return false;
  std::memcpy(copy, next_, length);
  s = copy;
  next_ += length;
  return true;
}

}  // namespace ladder
