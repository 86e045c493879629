// SPDX-License-Identifier: Apache-2.0
#include <callis/giop/internal/views.h>
#include <callis/giop/request.h>

namespace callis::giop {
namespace {

void get_old(cdr::Decoder& d, Version v, RequestHeader& r, const Limits& limits) {
  if (!decode(d, r.contexts, r.spill, limits)) return;
  r.request_id = d.get_ulong();
  // A boolean cannot say who answers: the target, as old clients expect.
  r.response = d.get_boolean() ? ResponseFlags::WithTarget : ResponseFlags::None;
  if (v >= kGiop11) d.skip(3);  // reserved
  if (!decode(d, v, r.target, r.spill, limits)) return;
  r.operation = get_string(d, r.spill);
  r.principal = get_octets(d, r.spill);
}

void get_12(cdr::Decoder& d, Version v, RequestHeader& r, const Limits& limits) {
  r.request_id = d.get_ulong();
  const std::uint8_t flags = d.get_octet();
  if (flags == 2 || flags > 3) d.set_fault(Fault::BadHeader);
  r.response = static_cast<ResponseFlags>(flags);
  d.skip(3);  // reserved
  r.principal = {};
  if (!decode(d, v, r.target, r.spill, limits)) return;
  r.operation = get_string(d, r.spill);
  if (!decode(d, r.contexts, r.spill, limits)) return;
  align_body(d);
}

}  // namespace

bool decode(cdr::Decoder& d, Version v, RequestHeader& out, const Limits& limits) {
  out.spill.clear();
  out.contexts.clear();
  if (v >= kGiop12) get_12(d, v, out, limits);
  else get_old(d, v, out, limits);
  return d.ok();
}

Started begin_request(cdr::Encoder& e, Version v, const OutgoingRequest& r) {
  Started s = begin_message(e, v, MessageType::Request);
  if (v < kGiop12) encode(e, r.contexts);
  e.align(4);
  s.request_id_at = e.position();
  e.put_ulong(r.request_id);
  if (v < kGiop12) {
    e.put_boolean(r.response != ResponseFlags::None);
  } else {
    e.put_octet(static_cast<std::uint8_t>(r.response));
  }
  if (v >= kGiop11) {
    for (int i = 0; i < 3; ++i) e.put_octet(0);  // reserved
  }
  encode(e, v, r.target);
  e.put_string(r.operation);
  if (v < kGiop12) {
    e.put_octets(r.principal);
    s.header_end = s.body = e.position();
    return s;
  }
  encode(e, r.contexts);
  s.header_end = e.position();
  e.align(8);
  s.body = e.position();
  return s;
}

bool decode_cancel(cdr::Decoder& d, std::uint32_t& request_id) {
  request_id = d.get_ulong();
  return d.ok();
}

}  // namespace callis::giop
