// SPDX-License-Identifier: Apache-2.0
// Reply (CORBA 3.3 part 2, 9.4.3), and the body of a system exception.
#pragma once
#include <callis/giop/service_context.h>
#include <callis/giop/target.h>

namespace callis::giop {

enum class ReplyStatus : std::uint32_t {
  NoException = 0,
  UserException = 1,
  SystemException = 2,
  LocationForward = 3,      // body: an IOR
  LocationForwardPerm = 4,  // 1.2; body: an IOR
  NeedsAddressingMode = 5,  // 1.2; body: an AddressingDisposition
};
const char* reply_status_name(ReplyStatus s) noexcept;

// Views as in RequestHeader.
struct ReplyHeader {
  std::uint32_t request_id = 0;
  ReplyStatus status = ReplyStatus::NoException;
  ServiceContexts contexts;
  Buffer spill{Buffer::kForPeer};
};

// As decode() of requests. Fault::BadEnum for a status that the version does not have.
[[nodiscard]] bool decode(cdr::Decoder& d, Version v, ReplyHeader& out, const Limits& limits);

// The request that a Reply or LocateReply answers. False when its header cannot be read so far.
[[nodiscard]] bool reply_id(const Message& m, const Limits& limits, std::uint32_t& id);

// A 1.2-only status must not be sent in an older version: Fault::Unsupported in the encoder.
Started begin_reply(cdr::Encoder& e, Version v, std::uint32_t request_id, ReplyStatus status,
                    std::span<const ServiceContext> contexts = {});

// The reply that nearly every request gets: of GIOP 1.2 in our byte order, with NoException and no contexts. It takes
// so many bytes up to its body, which needs no padding.
inline constexpr std::size_t kPlainReplyBytes = 24;
// message_bytes: of all of it, with the body.
inline void put_plain_reply(Byte* to, std::uint32_t request_id, std::size_t message_bytes) {
  constexpr Byte kStart[8] = {'G', 'I', 'O', 'P', 1, 2, static_cast<Byte>(kNativeOrder),
                              static_cast<Byte>(MessageType::Reply)};
  store(to, load<std::uint64_t>(kStart));
  store(to + 8, static_cast<std::uint32_t>(message_bytes - kHeaderBytes));
  store(to + 12, request_id);
  store(to + 16, std::uint64_t{0});  // status and number of contexts
}
// begin_reply() of the same, for an encoder in our byte order.
inline void begin_plain_reply(cdr::Encoder& e, std::uint32_t request_id) {
  const std::size_t at = e.position();
  e.set_origin(at);
  if (!e.ensure(kPlainReplyBytes)) [[unlikely]] return;
  put_plain_reply(e.cursor(), request_id, kPlainReplyBytes);
  e.advance(kPlainReplyBytes);
}
// Where its parts are, in the buffer from there on.
inline Started plain_reply_at(std::size_t at) {
  return {at, at + kHeaderBytes, at + kPlainReplyBytes, at + kPlainReplyBytes};
}

// SystemExceptionReplyBody (9.4.3.2)
enum class Completion : std::uint32_t { Yes = 0, No = 1, Maybe = 2 };
struct SystemExceptionBody {
  std::string_view repository_id;  // "IDL:omg.org/CORBA/TRANSIENT:1.0"; a view into the message when decoded
  std::uint32_t minor = 0;
  Completion completed = Completion::Maybe;
};
[[nodiscard]] bool decode(cdr::Decoder& d, SystemExceptionBody& out);
void encode(cdr::Encoder& e, const SystemExceptionBody& b);

// The body of NeedsAddressingMode.
[[nodiscard]] bool decode(cdr::Decoder& d, AddressingDisposition& out);
void encode(cdr::Encoder& e, AddressingDisposition a);

}  // namespace callis::giop
