// SPDX-License-Identifier: Apache-2.0
// What server and client have in common: rpcgen's header, and elements of its struct.
#pragma once
#include "../common/elements.h"
#include "../common/tcp.h"
extern "C" {
#include "bench.h"
}

inline constexpr u_int kRecordBytes = 65'536;  // of the buffers that records are sent from and received into

namespace bench {
template <>
inline binstruct element<binstruct>(std::size_t i) {
  binstruct b{};
  fill(b, i);
  fill_pad(b.pad);
  return b;
}
template <>
inline bool is_element<binstruct>(const binstruct& b, std::size_t i) {
  return filled(b, i) && pad_filled(b.pad);
}
}  // namespace bench
