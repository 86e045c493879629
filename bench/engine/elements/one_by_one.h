// SPDX-License-Identifier: Apache-2.0
// The coder to compare with: element by element, member by member, each member by a call of a function that aligns,
// checks the bounds and looks whether to swap, as the stubs of the ORBs in the papers do. Padding is left as it is,
// which those ORBs do too; callis's zeros are extra work that this coder is spared.
#pragma once
#include "types.h"
#include <cstddef>

namespace bench::one_by_one {

// Writes to memory that is 8-aligned like the message.
class Writer {
 public:
  Writer(unsigned char* to, std::size_t room, bool swap) : cur_(to), end_(to + room), swap_(swap) {}
  bool put_octet(std::uint8_t v);
  bool put_short(std::int16_t v);
  bool put_long(std::int32_t v);
  bool put_double(double v);
  bool put_octets(const std::uint8_t* p, std::size_t n);
  const unsigned char* end() const { return cur_; }

 private:
  unsigned char* room(std::size_t size);
  unsigned char *cur_, *end_;
  bool swap_;
};

class Reader {
 public:
  Reader(const unsigned char* from, std::size_t bytes, bool swap) : cur_(from), end_(from + bytes), swap_(swap) {}
  bool get_octet(std::uint8_t& v);
  bool get_short(std::int16_t& v);
  bool get_long(std::int32_t& v);
  bool get_double(double& v);
  bool get_octets(std::uint8_t* p, std::size_t n);

 private:
  const unsigned char* bytes(std::size_t size);
  const unsigned char *cur_, *end_;
  bool swap_;
};

// A sequence: its count and its n elements. Reading expects n elements, for which there is room.
template <class T> bool put(Writer& w, const T* p, std::uint32_t n);
template <class T> bool get(Reader& r, T* p, std::uint32_t n);

}  // namespace bench::one_by_one
