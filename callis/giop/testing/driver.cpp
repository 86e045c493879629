// SPDX-License-Identifier: Apache-2.0
#include <callis/giop/giop.h>
#include <callis/giop/testing/driver.h>
#include <callis/ior/reference.h>
#include <memory>
#include <cstring>

namespace callis::giop::testing {

std::string to_string(const Seen& s) {
  static const char* const kinds[] = {"NeedBytes", "Message", "PeerClosing", "PeerError", "ProtocolError", "Closed"};
  std::string t = kinds[static_cast<int>(s.kind)];
  if (s.kind == EventKind::Message) t += std::string(" ") + message_type_name(s.header.type);
  return t + " " + fault_name(s.fault) + ", " + std::to_string(s.body.size()) + " bytes";
}

Bytes body_of(const Message& m) {
  Bytes all(m.body.begin(), m.body.end());
  for (const cdr::Segment& s : m.segments) all.insert(all.end(), s.bytes.begin(), s.bytes.end());
  return all;
}

void Driver::arrive(ByteView bytes) {
  held_.insert(held_.end(), bytes.begin(), bytes.end());
  for (std::size_t rounds = 0;; ++rounds) {
    const std::unique_ptr<Byte[]> exact(new Byte[held_.size()]);
    std::memcpy(exact.get(), held_.data(), held_.size());
    const Event ev = connection.receive({exact.get(), held_.size()});
    if (ev.consumed > held_.size() || rounds > held_.size() + 1000) {
      broken = true;
      return;
    }
    if (ev.kind == EventKind::Message && on_message) on_message(ev.message, limits_);
    held_.erase(held_.begin(), held_.begin() + static_cast<std::ptrdiff_t>(ev.consumed));
    if (ev.kind == EventKind::Closed) return;
    if (ev.kind == EventKind::NeedBytes) {
      if (connection.wanted_bytes() <= held_.size()) broken = true;
      return;
    }
    Seen s{ev.kind, ev.fault, ev.message.header, {ev.to_send.begin(), ev.to_send.end()}};
    if (ev.kind == EventKind::Message) s.body = body_of(ev.message);
    seen.push_back(std::move(s));
  }
}

void decode_anything(const Message& m, const Limits& limits) {
  cdr::Budget budget = cdr::Budget::of(limits, m.body_bytes());
  cdr::Decoder d = m.decoder(budget);
  const Version v = m.header.version;
  switch (m.header.type) {
    case MessageType::Request: {
      RequestHeader h;
      (void)decode(d, v, h, limits);
      break;
    }
    case MessageType::Reply: {
      ReplyHeader h;
      if (!decode(d, v, h, limits)) break;
      SystemExceptionBody b;
      ior::Ior to;
      AddressingDisposition how{};
      if (h.status == ReplyStatus::SystemException) (void)decode(d, b);
      else if (h.status == ReplyStatus::LocationForward) (void)ior::decode(d, to, limits);
      else if (h.status == ReplyStatus::NeedsAddressingMode) (void)decode(d, how);
      break;
    }
    case MessageType::CancelRequest: {
      std::uint32_t id = 0;
      (void)decode_cancel(d, id);
      break;
    }
    case MessageType::LocateRequest: {
      LocateRequestHeader h;
      (void)decode(d, v, h, limits);
      break;
    }
    case MessageType::LocateReply: {
      LocateReplyHeader h;
      ior::Ior to;
      if (decode(d, v, h) && h.status == LocateStatus::ObjectForward) (void)ior::decode(d, to, limits);
      break;
    }
    default: break;
  }
  while (d.ok() && d.remaining() != 0) d.get_octet();
}

}  // namespace callis::giop::testing
