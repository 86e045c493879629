// SPDX-License-Identifier: Apache-2.0
// The primitives: in a file of their own, as in a library, so that no caller inlines them.
#include "one_by_one.h"
#include <callis/base/endian.h>
#include <cstring>

namespace bench::one_by_one {

inline unsigned char* Writer::room(std::size_t size) {
  const auto at = reinterpret_cast<std::uintptr_t>(cur_);
  unsigned char* p = cur_ + ((0 - at) & (size - 1));
  if (p + size > end_) return nullptr;
  cur_ = p + size;
  return p;
}
inline const unsigned char* Reader::bytes(std::size_t size) {
  const auto at = reinterpret_cast<std::uintptr_t>(cur_);
  const unsigned char* p = cur_ + ((0 - at) & (size - 1));
  if (p + size > end_) return nullptr;
  cur_ = p + size;
  return p;
}

#define PUT(name, T)                        \
  bool Writer::name(T v) {                  \
    unsigned char* p = room(sizeof v);      \
    if (!p) return false;                   \
    if (!swap_) std::memcpy(p, &v, sizeof v); \
    else callis::store(p, v, true);         \
    return true;                            \
  }
PUT(put_octet, std::uint8_t)
PUT(put_short, std::int16_t)
PUT(put_long, std::int32_t)
PUT(put_double, double)

#define GET(name, T)                          \
  bool Reader::name(T& v) {                   \
    const unsigned char* p = bytes(sizeof v); \
    if (!p) return false;                     \
    if (!swap_) std::memcpy(&v, p, sizeof v); \
    else v = callis::load<T>(p, true);        \
    return true;                              \
  }
GET(get_octet, std::uint8_t)
GET(get_short, std::int16_t)
GET(get_long, std::int32_t)
GET(get_double, double)

bool Writer::put_octets(const std::uint8_t* p, std::size_t n) {
  if (n > static_cast<std::size_t>(end_ - cur_)) return false;
  std::memcpy(cur_, p, n);
  cur_ += n;
  return true;
}
bool Reader::get_octets(std::uint8_t* p, std::size_t n) {
  if (n > static_cast<std::size_t>(end_ - cur_)) return false;
  std::memcpy(p, cur_, n);
  cur_ += n;
  return true;
}

}  // namespace bench::one_by_one
