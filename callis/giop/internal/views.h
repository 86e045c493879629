// SPDX-License-Identifier: Apache-2.0
// Views into a message that may be in pieces. GIOP 1.1 allows a fragment to end anywhere in a header
// (9.4.9); data that crosses such an end is copied to spill, everything else is viewed in place.
#pragma once
#include <callis/cdr/cdr.h>

namespace callis::giop {

// n bytes. spill must be empty before the first read of a header; it never moves afterwards.
ByteView get_view(cdr::Decoder& d, std::size_t n, Buffer& spill);
// sequence<octet>
ByteView get_octets(cdr::Decoder& d, Buffer& spill, std::size_t max_bytes = SIZE_MAX);
std::string_view get_string(cdr::Decoder& d, Buffer& spill);

// Skips the padding in front of a 1.2 body. A message that ends inside the padding has no body.
inline void align_body(cdr::Decoder& d) {
  if (d.remaining() == 0) return;
  const std::size_t pad = (0 - d.phase()) & 7;
  d.skip(pad < d.remaining() ? pad : d.remaining());
}

}  // namespace callis::giop
