// SPDX-License-Identifier: Apache-2.0
// LocateRequest and LocateReply (CORBA 3.3 part 2, 9.4.5 and 9.4.6).
#pragma once
#include <callis/giop/target.h>

namespace callis::giop {

struct LocateRequestHeader {
  std::uint32_t request_id = 0;
  ReceivedTarget target;
  Buffer spill{Buffer::kForPeer};
};
[[nodiscard]] bool decode(cdr::Decoder& d, Version v, LocateRequestHeader& out, const Limits& limits);
Started begin_locate_request(cdr::Encoder& e, Version v, std::uint32_t request_id, const Target& target);

enum class LocateStatus : std::uint32_t {
  UnknownObject = 0,
  ObjectHere = 1,
  ObjectForward = 2,          // body: an IOR
  ObjectForwardPerm = 3,      // 1.2; body: an IOR
  SystemException = 4,        // 1.2; body: a SystemExceptionBody
  NeedsAddressingMode = 5,    // 1.2; body: an AddressingDisposition
};
const char* locate_status_name(LocateStatus s) noexcept;

struct LocateReplyHeader {
  std::uint32_t request_id = 0;
  LocateStatus status = LocateStatus::UnknownObject;
};
// The body follows the header without extra alignment in every version (9.4.6.2).
[[nodiscard]] bool decode(cdr::Decoder& d, Version v, LocateReplyHeader& out);
Started begin_locate_reply(cdr::Encoder& e, Version v, std::uint32_t request_id, LocateStatus status);

}  // namespace callis::giop
