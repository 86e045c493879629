// SPDX-License-Identifier: Apache-2.0
// Replies of GIOP 1.0, 1.1 and 1.2, read and written.
#include <callis/giop/internal/views.h>
#include <callis/giop/reply.h>

namespace callis::giop {
namespace {

ReplyStatus highest_reply_status(Version v) {
  return v >= kGiop12 ? ReplyStatus::NeedsAddressingMode : ReplyStatus::LocationForward;
}

ReplyStatus get_status(cdr::Decoder& d, Version v) {
  const std::uint32_t s = d.get_ulong();
  if (s > static_cast<std::uint32_t>(highest_reply_status(v))) d.set_fault(Fault::BadEnum);
  return d.ok() ? static_cast<ReplyStatus>(s) : ReplyStatus::NoException;
}

}  // namespace

const char* reply_status_name(ReplyStatus s) noexcept {
  switch (s) {
    case ReplyStatus::NoException: return "NO_EXCEPTION";
    case ReplyStatus::UserException: return "USER_EXCEPTION";
    case ReplyStatus::SystemException: return "SYSTEM_EXCEPTION";
    case ReplyStatus::LocationForward: return "LOCATION_FORWARD";
    case ReplyStatus::LocationForwardPerm: return "LOCATION_FORWARD_PERM";
    case ReplyStatus::NeedsAddressingMode: return "NEEDS_ADDRESSING_MODE";
  }
  return "unknown reply status";
}

bool decode(cdr::Decoder& d, Version v, ReplyHeader& out, const Limits& limits) {
  out.spill.clear();
  out.contexts.clear();
  if (v < kGiop12) {
    if (!decode(d, out.contexts, out.spill, limits)) return false;
    out.request_id = d.get_ulong();
    out.status = get_status(d, v);
    return d.ok();
  }
  out.request_id = d.get_ulong();
  out.status = get_status(d, v);
  if (!decode(d, out.contexts, out.spill, limits)) return false;
  align_body(d);
  return d.ok();
}

namespace {

// A 1.2 header without contexts: 24 octets, so that the body needs no padding.
Started put_plain(cdr::Encoder& e, std::uint32_t request_id, ReplyStatus status) {
  constexpr std::size_t kBytes = 24;
  Started s;
  s.at = e.position();
  e.set_origin(s.at);
  if (e.ensure(kBytes)) {
    Byte* m = e.cursor();
    write_header(m, {kGiop12, e.order(), false, MessageType::Reply, 0});
    store(m + 12, request_id, e.swaps());
    store(m + 16, static_cast<std::uint32_t>(status), e.swaps());
    store(m + 20, std::uint32_t{0});
    e.advance(kBytes);
  }
  s.request_id_at = s.at + kHeaderBytes;
  s.header_end = s.body = e.position();
  return s;
}

}  // namespace

Started begin_reply(cdr::Encoder& e, Version v, std::uint32_t request_id, ReplyStatus status,
                    std::span<const ServiceContext> contexts) {
  if (v == kGiop12 && contexts.empty() && status <= highest_reply_status(v)) return put_plain(e, request_id, status);
  Started s = begin_message(e, v, MessageType::Reply);
  if (status > highest_reply_status(v)) e.set_fault(Fault::Unsupported);
  if (v < kGiop12) encode(e, contexts);
  e.align(4);
  s.request_id_at = e.position();
  e.put_ulong(request_id);
  e.put_ulong(static_cast<std::uint32_t>(status));
  if (v >= kGiop12) encode(e, contexts);
  s.header_end = e.position();
  if (v >= kGiop12) e.align(8);
  s.body = e.position();
  return s;
}

bool decode(cdr::Decoder& d, SystemExceptionBody& out) {
  out.repository_id = d.get_string();
  out.minor = d.get_ulong();
  const std::uint32_t completed = d.get_ulong();
  if (completed > static_cast<std::uint32_t>(Completion::Maybe)) d.set_fault(Fault::BadEnum);
  out.completed = d.ok() ? static_cast<Completion>(completed) : Completion::Maybe;
  return d.ok();
}

void encode(cdr::Encoder& e, const SystemExceptionBody& b) {
  e.put_string(b.repository_id);
  e.put_ulong(b.minor);
  e.put_ulong(static_cast<std::uint32_t>(b.completed));
}

bool decode(cdr::Decoder& d, AddressingDisposition& out) {
  const std::uint16_t how = d.get_ushort();
  if (how > static_cast<std::uint16_t>(AddressingDisposition::Reference)) d.set_fault(Fault::BadEnum);
  if (d.ok()) out = static_cast<AddressingDisposition>(how);
  return d.ok();
}

void encode(cdr::Encoder& e, AddressingDisposition a) { e.put(static_cast<std::int16_t>(a)); }

bool reply_id(const Message& m, const Limits& limits, std::uint32_t& id) {
  cdr::Budget budget = cdr::Budget::of(limits, m.body_bytes());
  cdr::Decoder d = m.decoder(budget);
  if (m.header.type == MessageType::Reply && m.header.version < kGiop12) {
    ReplyHeader h;
    if (!decode(d, m.header.version, h, limits)) return false;
    id = h.request_id;
    return true;
  }
  id = d.get_ulong();  // the first member of LocateReply, and of Reply since 1.2
  return d.ok();
}

}  // namespace callis::giop
