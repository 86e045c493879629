// SPDX-License-Identifier: Apache-2.0
// Shared by the readers and writers of profile and component bodies, each of them an encapsulation.
#pragma once
#include <callis/ior/reference.h>

namespace callis::ior {

// A string, copied; also when it is split over the fragments of a GIOP 1.1 message.
[[nodiscard]] bool get_string(cdr::Decoder& d, std::string& out);
// sequence<octet> of at most max_bytes, copied.
[[nodiscard]] bool get_octets(cdr::Decoder& d, Bytes& out, std::size_t max_bytes);

// The bytes of an encapsulation whose contents write(Encoder&) makes.
template <class Write>
Bytes make_body(ByteOrder order, Write&& write) {
  Buffer b;
  cdr::Encoder e(b, order);
  e.put_octet(static_cast<std::uint8_t>(order));
  write(e);
  e.finish();
  if (e.fault() != Fault::None) return {};
  return {b.data(), b.data() + b.size()};
}

inline Error bad(Fault f, const char* what) { return Error{f, 0, what}; }

}  // namespace callis::ior
