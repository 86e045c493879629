// SPDX-License-Identifier: Apache-2.0
// Message headers, read and written, and the messages that are nothing else.
#include <callis/giop/message.h>
#include <cstring>

namespace callis::giop {
namespace {

constexpr Byte kMagic[4] = {'G', 'I', 'O', 'P'};
constexpr std::uint8_t kLittleEndianFlag = 1;
constexpr std::uint8_t kMoreFragmentsFlag = 2;

// Which messages may be the beginning or middle of a fragmented one (9.4.9).
bool may_have_more(Version v, MessageType t) {
  if (v < kGiop11) return false;
  if (t == MessageType::Request || t == MessageType::Reply || t == MessageType::Fragment) return true;
  return v >= kGiop12 && (t == MessageType::LocateRequest || t == MessageType::LocateReply);
}

}  // namespace

const char* message_type_name(MessageType t) noexcept {
  switch (t) {
    case MessageType::Request: return "Request";
    case MessageType::Reply: return "Reply";
    case MessageType::CancelRequest: return "CancelRequest";
    case MessageType::LocateRequest: return "LocateRequest";
    case MessageType::LocateReply: return "LocateReply";
    case MessageType::CloseConnection: return "CloseConnection";
    case MessageType::MessageError: return "MessageError";
    case MessageType::Fragment: return "Fragment";
  }
  return "unknown message";
}

Fault parse_header(ByteView bytes, const Limits& limits, MessageHeader& out) {
  const Byte* h = bytes.data();
  if (bytes.size() < kHeaderBytes) [[unlikely]] {
    const std::size_t there = bytes.size() < sizeof kMagic ? bytes.size() : sizeof kMagic;
    return there != 0 && std::memcmp(h, kMagic, there) != 0 ? Fault::BadMagic : Fault::Truncated;
  }
  if (load<std::uint32_t>(h) != load<std::uint32_t>(kMagic)) return Fault::BadMagic;
  out.version = {h[4], h[5]};
  if (out.version.major != 1 || out.version > kHighestVersion) return Fault::BadVersion;

  const std::uint8_t flags = h[6];
  // 1.0 has a boolean here; later versions two flags and six zeros.
  if (flags > (out.version == kGiop10 ? kLittleEndianFlag : kLittleEndianFlag | kMoreFragmentsFlag)) {
    return Fault::BadHeader;
  }
  out.order = static_cast<ByteOrder>(flags & kLittleEndianFlag);
  out.more_fragments = (flags & kMoreFragmentsFlag) != 0;
  const MessageType last = out.version == kGiop10 ? MessageType::MessageError : MessageType::Fragment;
  if (h[7] > static_cast<std::uint8_t>(last)) return Fault::BadMessageType;
  out.type = static_cast<MessageType>(h[7]);
  out.body_bytes = load<std::uint32_t>(h + 8, out.order != kNativeOrder);

  if (out.more_fragments && !may_have_more(out.version, out.type)) return Fault::BadHeader;
  if (out.type == MessageType::CloseConnection && out.body_bytes != 0) return Fault::BadHeader;
  // With the header it must be a std::size_t, which may have 32 bits.
  if (out.body_bytes > limits.max_message_bytes || std::uint64_t{out.body_bytes} > SIZE_MAX - kHeaderBytes)
    return Fault::LimitExceeded;
  return Fault::None;
}

void write_header(Byte* to, const MessageHeader& h) {
  std::memcpy(to, kMagic, sizeof kMagic);
  to[4] = h.version.major;
  to[5] = h.version.minor;
  to[6] = static_cast<Byte>(static_cast<std::uint8_t>(h.order) | (h.more_fragments ? kMoreFragmentsFlag : 0));
  to[7] = static_cast<Byte>(h.type);
  store(to + 8, h.body_bytes, h.order != kNativeOrder);
}

std::array<Byte, kHeaderBytes> close_connection(Version v, ByteOrder order) {
  std::array<Byte, kHeaderBytes> m;
  write_header(m.data(), {v, order, false, MessageType::CloseConnection, 0});
  return m;
}

std::array<Byte, kHeaderBytes> message_error(Version v, ByteOrder order) {
  std::array<Byte, kHeaderBytes> m;
  write_header(m.data(), {v, order, false, MessageType::MessageError, 0});
  return m;
}

std::array<Byte, 16> cancel_request(Version v, std::uint32_t request_id, ByteOrder order) {
  std::array<Byte, 16> m;
  write_header(m.data(), {v, order, false, MessageType::CancelRequest, 4});
  store(m.data() + kHeaderBytes, request_id, order != kNativeOrder);
  return m;
}

Started begin_message(cdr::Encoder& e, Version v, MessageType type) {
  Started s;
  s.at = e.position();
  e.set_origin(s.at);
  e.set_wide(wide_form(v));
  if (e.ensure(kHeaderBytes)) {
    write_header(e.cursor(), {v, e.order(), false, type, 0});
    e.advance(kHeaderBytes);
  }
  s.request_id_at = s.header_end = s.body = e.position();
  return s;
}

Fault drop_message(cdr::Encoder& e, const Started& s) {
  e.set_fault(Fault::LimitExceeded);  // unless there is a fault already
  e.rewind(s.at);
  e.finish();
  return e.fault();
}

}  // namespace callis::giop
