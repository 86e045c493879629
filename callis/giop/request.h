// SPDX-License-Identifier: Apache-2.0
// Request and CancelRequest (CORBA 3.3 part 2, 9.4.2 and 9.4.4).
#pragma once
#include <callis/giop/service_context.h>
#include <callis/giop/target.h>

namespace callis::giop {

// When the client expects an answer. On the wire response_flags of 1.2; before it a boolean, which cannot
// tell server from target.
enum class ResponseFlags : std::uint8_t {
  None = 0,        // oneway: SYNC_NONE, SYNC_WITH_TRANSPORT
  WithServer = 1,  // an empty reply before the upcall: SYNC_WITH_SERVER
  WithTarget = 3,  // the operation's reply
};

// A request's header as it came. Views into the message, but for data split over GIOP 1.1 fragments, which
// is kept in spill. Reusable.
struct RequestHeader {
  std::uint32_t request_id = 0;
  ResponseFlags response = ResponseFlags::None;
  ReceivedTarget target;
  std::string_view operation;
  ByteView principal;  // 1.0 and 1.1
  ServiceContexts contexts;
  Buffer spill{Buffer::kForPeer};

  bool response_expected() const { return response != ResponseFlags::None; }
};

// Reads the header from Message::decoder() and leaves the decoder at the body: for 1.2 at the next
// multiple of 8 if anything follows. False with a fault in the decoder when it is malformed: answer with
// Connection::refuse(). response_flags of 2 are Fault::BadHeader; of their bits the reserved ones make no
// difference.
[[nodiscard]] bool decode(cdr::Decoder& d, Version v, RequestHeader& out, const Limits& limits);

// Where the object key's bytes stand in a request of GIOP 1.2 with the key as target (9.4.2.1): behind the message
// header, request id, flags, disposition and the key's length, whatever the key.
inline constexpr std::size_t kKeyAt = 28;

// What to send.
struct OutgoingRequest {
  std::uint32_t request_id = 0;
  ResponseFlags response = ResponseFlags::WithTarget;
  Target target;
  std::string_view operation;
  std::span<const ServiceContext> contexts = {};
  ByteView principal = {};  // 1.0 and 1.1
};
Started begin_request(cdr::Encoder& e, Version v, const OutgoingRequest& r);

// The id in a CancelRequest (cancel_request() in message.h makes one).
[[nodiscard]] bool decode_cancel(cdr::Decoder& d, std::uint32_t& request_id);

}  // namespace callis::giop
