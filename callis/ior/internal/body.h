// SPDX-License-Identifier: Apache-2.0
// Shared by the readers and writers of profile and component bodies, each of them an encapsulation.
#pragma once
#include <callis/ior/iiop_profile.h>

namespace callis::ior {

// A string, copied; also when it is split over the fragments of a GIOP 1.1 message.
[[nodiscard]] bool get_string(cdr::Decoder& d, std::string& out);
// sequence<octet> of at most max_bytes, copied.
[[nodiscard]] bool get_octets(cdr::Decoder& d, Bytes& out, std::size_t max_bytes);

// Host and port; BadReference for a host with blanks or control characters.
[[nodiscard]] bool get_address(cdr::Decoder& d, Address& out);
void put_address(cdr::Encoder& e, const Address& a);

// An encapsulation in the making.
class Body final {
 public:
  explicit Body(ByteOrder order);
  cdr::Encoder& encoder() { return encoder_; }
  // With the bytes of the encapsulation; without any after a fault. The last call.
  TaggedProfile finish(std::uint32_t tag);

 private:
  Buffer buffer_;
  cdr::Encoder encoder_;
};

Error bad(Fault f, const char* what);

}  // namespace callis::ior
