// SPDX-License-Identifier: Apache-2.0
// Requests of GIOP 1.0, 1.1 and 1.2, read and written.
#include <callis/giop/internal/views.h>
#include <callis/giop/request.h>
#include <cstring>

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

constexpr int kResponseBits = 3;  // of response_flags; the others are reserved, and mean nothing

// Id, response flags and a key as target, at their fixed places: what nearly every request starts with.
// False, with nothing read, for anything else.
bool get_plain_start(cdr::Decoder& d, RequestHeader& r) {
  constexpr std::size_t kStart = 16;  // id 4, flags and reserved 4, disposition and padding 4, key length 4
  if (d.contiguous() < kStart || d.phase() != kBodyPhase) return false;
  const Byte* p = d.cursor();
  const auto flags = static_cast<std::uint8_t>(p[4] & kResponseBits);
  const std::size_t key_bytes = load<std::uint32_t>(p + 12, d.swaps());
  if (flags == 2 || load<std::uint16_t>(p + 8) != 0 || key_bytes > d.contiguous() - kStart) return false;
  r.request_id = load<std::uint32_t>(p, d.swaps());
  r.response = static_cast<ResponseFlags>(flags);
  r.target = {};
  r.target.has_key = true;
  r.target.object_key = {p + kStart, key_bytes};
  d.advance(kStart + key_bytes);
  return true;
}

bool get_any_start(cdr::Decoder& d, Version v, RequestHeader& r, const Limits& limits) {
  r.request_id = d.get_ulong();
  const auto flags = static_cast<std::uint8_t>(d.get_octet() & kResponseBits);
  if (flags == 2) d.set_fault(Fault::BadHeader);
  r.response = static_cast<ResponseFlags>(flags);
  d.skip(3);  // reserved
  return decode(d, v, r.target, r.spill, limits);
}

void get_12(cdr::Decoder& d, Version v, RequestHeader& r, const Limits& limits) {
  r.principal = {};
  if (!get_plain_start(d, r) && !get_any_start(d, v, r, limits)) return;
  r.operation = get_string(d, r.spill);
  if (!decode(d, r.contexts, r.spill, limits)) return;
  align_body(d);
}

// Behind this many octets of key or operation the places in a header are not computed beforehand.
constexpr std::size_t kUsualBytes = 4096;

// A 1.2 header with a key as target, up to its service contexts, in one stroke.
void put_plain(cdr::Encoder& e, const OutgoingRequest& r) {
  const ByteView key = r.target.object_key;
  const std::size_t name_bytes = r.operation.size() + 1;
  const std::size_t operation_at = 28 + align_up(key.size(), 4);
  const std::size_t contexts_at = operation_at + 4 + align_up(name_bytes, 4);
  if (!e.ensure(contexts_at)) return;
  Byte* m = e.cursor();
  const bool swap = e.swaps();
  write_header(m, {kGiop12, e.order(), false, MessageType::Request, 0});
  store(m + 12, r.request_id, swap);
  store(m + 16, std::uint32_t{0});  // reserved
  m[16] = static_cast<Byte>(r.response);
  store(m + 20, std::uint32_t{0});  // KeyAddr, padding
  store(m + operation_at - 4, std::uint32_t{0});  // padding, where the key leaves it
  store(m + 24, static_cast<std::uint32_t>(key.size()), swap);
  if (!key.empty()) std::memcpy(m + 28, key.data(), key.size());
  store(m + operation_at, static_cast<std::uint32_t>(name_bytes), swap);
  store(m + contexts_at - 4, std::uint32_t{0});  // NUL and padding
  if (!r.operation.empty()) std::memcpy(m + operation_at + 4, r.operation.data(), r.operation.size());
  e.advance(contexts_at);
}

void end_12(cdr::Encoder& e, Started& s, std::span<const ServiceContext> contexts) {
  encode(e, contexts);
  s.header_end = e.position();
  e.align(8);
  s.body = e.position();
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
  if (v == kGiop12 && r.target.how == AddressingDisposition::Key && r.target.object_key.size() <= kUsualBytes &&
      r.operation.size() <= kUsualBytes) {
    Started s;
    s.at = e.position();
    s.request_id_at = s.at + kHeaderBytes;
    e.set_origin(s.at);
    put_plain(e, r);
    end_12(e, s, r.contexts);
    return s;
  }
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
  end_12(e, s, r.contexts);
  return s;
}

bool decode_cancel(cdr::Decoder& d, std::uint32_t& request_id) {
  request_id = d.get_ulong();
  return d.ok();
}

}  // namespace callis::giop
