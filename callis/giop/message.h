// SPDX-License-Identifier: Apache-2.0
// The 12-byte header in front of every GIOP message (CORBA 3.3 part 2, 9.4.1), and the messages that are
// little more than it.
#pragma once
#include <callis/base/limits.h>
#include <callis/cdr/cdr.h>
#include <callis/ior/tags.h>
#include <callis/ior/version.h>
#include <array>

namespace callis::giop {

using ior::Version;
inline constexpr Version kGiop10{1, 0};
inline constexpr Version kGiop11{1, 1};
inline constexpr Version kGiop12{1, 2};
inline constexpr Version kHighestVersion = kGiop12;

// How wide characters go in messages of a version, in UTF-16.
constexpr cdr::WideForm wide_form(Version v) {
  return v >= kGiop12 ? cdr::WideForm::Octets : v == kGiop11 ? cdr::WideForm::Units : cdr::WideForm::Forbidden;
}
// The same in another of the code sets that ior::is_code_set_for_wchar().
constexpr cdr::WideForm wide_form(Version v, std::uint32_t code_set) {
  using cdr::WideForm;
  if (code_set == ior::kUtf16 || v < kGiop11) return wide_form(v);
  if (code_set >= ior::kUcs4) return v >= kGiop12 ? WideForm::Ucs4Octets : WideForm::Ucs4Units;
  return v >= kGiop12 ? WideForm::Ucs2Octets : WideForm::Ucs2Units;
}
// How chars go where memory has one code set and the wire another, both ior::is_code_set_for_char().
constexpr cdr::CharForm char_form(std::uint32_t native, std::uint32_t on_wire) {
  return native == on_wire ? cdr::CharForm::AsIs
         : native == ior::kUtf8 ? cdr::CharForm::Latin1ForUtf8
                                : cdr::CharForm::Utf8ForLatin1;
}

enum class MessageType : std::uint8_t {
  Request = 0,
  Reply = 1,
  CancelRequest = 2,
  LocateRequest = 3,
  LocateReply = 4,
  CloseConnection = 5,
  MessageError = 6,
  Fragment = 7,  // since 1.1
};
const char* message_type_name(MessageType t) noexcept;

inline constexpr std::size_t kHeaderBytes = 12;
inline constexpr std::size_t kFragmentHeaderBytes = 16;  // 1.2: with the request id
// Alignment phase of the first byte after a message header.
inline constexpr std::size_t kBodyPhase = kHeaderBytes & 7;

struct MessageHeader {
  Version version = kHighestVersion;
  ByteOrder order = kNativeOrder;
  bool more_fragments = false;
  MessageType type = MessageType::Request;
  std::uint32_t body_bytes = 0;  // what follows the header

  std::size_t message_bytes() const { return kHeaderBytes + std::size_t{body_bytes}; }
  friend bool operator==(const MessageHeader&, const MessageHeader&) = default;
};

// Reads and judges the header in the first kHeaderBytes of bytes. Faults: Truncated (fewer bytes),
// BadMagic (also seen in fewer bytes), BadVersion (major not 1, minor above 2), BadHeader (reserved flag bits, a byte
// order octet of 1.0 that is neither 0 nor 1, "more fragments" on a type that has none, a body where none may be),
// BadMessageType (unknown to the version), LimitExceeded (body above max_message_bytes).
// out holds what could be read: the version also after BadVersion and later faults.
[[nodiscard]] Fault parse_header(ByteView bytes, const Limits& limits, MessageHeader& out);
// Writes kHeaderBytes.
void write_header(Byte* to, const MessageHeader& h);

// Whole messages.
std::array<Byte, kHeaderBytes> close_connection(Version v, ByteOrder order = kNativeOrder);
std::array<Byte, kHeaderBytes> message_error(Version v, ByteOrder order = kNativeOrder);
std::array<Byte, 16> cancel_request(Version v, std::uint32_t request_id, ByteOrder order = kNativeOrder);

// A message that has come whole. It owns nothing: it points into the bytes given to Connection::receive()
// or into the connection's store of reassembled messages.
struct Message {
  MessageHeader header;  // of the first fragment; body_bytes and more_fragments as if it had been one
  ByteView body;         // after the header; empty when segments are used
  std::span<const cdr::Segment> segments;  // only GIOP 1.1 in fragments: the body in pieces (9.4.9)
  bool reassembled = false;                // from fragments: it lives in the connection

  // Bytes of the body.
  std::size_t body_bytes() const { return header.body_bytes; }
  // Positioned at the first byte after the message header. budget must outlive the decoder.
  cdr::Decoder decoder(cdr::Budget& budget) const {
    return segments.empty() ? cdr::Decoder(body, header.order, budget, kBodyPhase, wide_form(header.version))
                            : cdr::Decoder(segments, header.order, budget, wide_form(header.version));
  }
};

// Writing a message.
// begin_request() and its like append a message's headers to the encoder's buffer (behind whole messages
// that may be there already) and leave the encoder where the body starts. finish_message() drops padding
// in front of a body that turned out empty, and fills in the size.
//
//   cdr::Encoder e(buffer);
//   const Started s = begin_request(e, kGiop12, {.request_id = 7, .target = Target::key(k), .operation = "ping"});
//   e.put_ulong(42);
//   Fault f = finish_message(e, s);
struct Started {
  std::size_t at = 0;             // of the message in the buffer
  std::size_t request_id_at = 0;  // of the request id in the buffer, for templates that are patched
  std::size_t header_end = 0;     // where an empty body ends
  std::size_t body = 0;           // where the body starts: 8-aligned in 1.2 requests and replies
};

// The message header alone, with the size still unknown; sets the origin of alignment and the form of wide
// characters.
Started begin_message(cdr::Encoder& e, Version v, MessageType type);
Fault drop_message(cdr::Encoder& e, const Started& s);  // what finish_message() does when it fails

// The encoder's fault, or LimitExceeded for a message of 4 GiB or more; the message is dropped from the buffer
// then. The buffer's size() is right after it, and does not count what was gathered.
[[nodiscard]] inline Fault finish_message(cdr::Encoder& e, const Started& s) {
  if (e.position() == s.body) e.rewind(s.header_end);
  const std::uint64_t body = std::uint64_t{e.position()} + e.gathered() - s.at - kHeaderBytes;
  if (e.fault() != Fault::None || body > 0xffffffffu) [[unlikely]] return drop_message(e, s);
  e.patch_ulong(s.at + 8, static_cast<std::uint32_t>(body));
  e.finish();
  return Fault::None;
}

}  // namespace callis::giop
