// SPDX-License-Identifier: Apache-2.0
#include <callis/giop/locate.h>

namespace callis::giop {
namespace {

LocateStatus highest_locate_status(Version v) {
  return v >= kGiop12 ? LocateStatus::NeedsAddressingMode : LocateStatus::ObjectForward;
}

}  // namespace

const char* locate_status_name(LocateStatus s) noexcept {
  switch (s) {
    case LocateStatus::UnknownObject: return "UNKNOWN_OBJECT";
    case LocateStatus::ObjectHere: return "OBJECT_HERE";
    case LocateStatus::ObjectForward: return "OBJECT_FORWARD";
    case LocateStatus::ObjectForwardPerm: return "OBJECT_FORWARD_PERM";
    case LocateStatus::SystemException: return "LOC_SYSTEM_EXCEPTION";
    case LocateStatus::NeedsAddressingMode: return "LOC_NEEDS_ADDRESSING_MODE";
  }
  return "unknown locate status";
}

bool decode(cdr::Decoder& d, Version v, LocateRequestHeader& out, const Limits& limits) {
  out.spill.clear();
  out.request_id = d.get_ulong();
  return decode(d, v, out.target, out.spill, limits);
}

Started begin_locate_request(cdr::Encoder& e, Version v, std::uint32_t request_id, const Target& target) {
  Started s = begin_message(e, v, MessageType::LocateRequest);
  e.put_ulong(request_id);
  encode(e, v, target);
  s.header_end = s.body = e.position();
  return s;
}

bool decode(cdr::Decoder& d, Version v, LocateReplyHeader& out) {
  out.request_id = d.get_ulong();
  const std::uint32_t status = d.get_ulong();
  if (status > static_cast<std::uint32_t>(highest_locate_status(v))) d.set_fault(Fault::BadEnum);
  out.status = d.ok() ? static_cast<LocateStatus>(status) : LocateStatus::UnknownObject;
  return d.ok();
}

Started begin_locate_reply(cdr::Encoder& e, Version v, std::uint32_t request_id, LocateStatus status) {
  Started s = begin_message(e, v, MessageType::LocateReply);
  if (status > highest_locate_status(v)) e.set_fault(Fault::Unsupported);
  e.put_ulong(request_id);
  e.put_ulong(static_cast<std::uint32_t>(status));
  s.header_end = s.body = e.position();
  return s;
}

}  // namespace callis::giop
