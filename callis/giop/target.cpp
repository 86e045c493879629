// SPDX-License-Identifier: Apache-2.0
#include <callis/giop/internal/views.h>
#include <callis/giop/target.h>

namespace callis::giop {
namespace {

// The key in the profile at hand; a tag that is not ours is no fault.
void find_key(cdr::Decoder& d, ReceivedTarget& t) {
  const Fault f = ior::find_object_key(t.profile_tag, t.profile_data, t.object_key);
  t.has_key = f == Fault::None;
  if (f != Fault::None && f != Fault::Unsupported) d.set_fault(Fault::BadReference);
}

void get_profile(cdr::Decoder& d, ReceivedTarget& t, Buffer& spill, const Limits& limits) {
  t.profile_tag = d.get_ulong();
  t.profile_data = get_octets(d, spill, limits.max_context_bytes);
}

// IORAddressingInfo: the index of the profile meant, and the reference.
void get_reference(cdr::Decoder& d, ReceivedTarget& t, Buffer& spill, const Limits& limits) {
  t.selected_profile = d.get_ulong();
  t.type_id = get_string(d, spill);
  const std::uint32_t n = d.count(8, 0);
  if (n > limits.max_profiles) d.set_fault(Fault::LimitExceeded);
  if (t.selected_profile >= n) d.set_fault(Fault::BadReference);
  ReceivedTarget scratch;
  for (std::uint32_t i = 0; i < n && d.ok(); ++i) {
    get_profile(d, i == t.selected_profile ? t : scratch, spill, limits);
  }
}

}  // namespace

bool decode(cdr::Decoder& d, Version v, ReceivedTarget& out, Buffer& spill, const Limits& limits) {
  out = {};
  if (v >= kGiop12) {
    const auto how = static_cast<std::int16_t>(d.get_ushort());
    if (how < 0 || how > static_cast<std::int16_t>(AddressingDisposition::Reference)) d.set_fault(Fault::BadEnum);
    if (!d.ok()) return false;
    out.how = static_cast<AddressingDisposition>(how);
  }
  switch (out.how) {
    case AddressingDisposition::Key:
      out.object_key = get_octets(d, spill);
      out.has_key = d.ok();
      return d.ok();
    case AddressingDisposition::Profile: get_profile(d, out, spill, limits); break;
    case AddressingDisposition::Reference: get_reference(d, out, spill, limits); break;
  }
  if (d.ok()) find_key(d, out);
  return d.ok();
}

void encode(cdr::Encoder& e, Version v, const Target& t) {
  if (v < kGiop12) {
    e.put_octets(t.object_key);
    return;
  }
  e.put(static_cast<std::int16_t>(t.how));
  switch (t.how) {
    case AddressingDisposition::Key: e.put_octets(t.object_key); return;
    case AddressingDisposition::Profile:
      if (!t.profile) break;
      e.put_ulong(t.profile->tag);
      e.put_octets(t.profile->data);
      return;
    case AddressingDisposition::Reference:
      if (!t.reference || t.selected_profile >= t.reference->profiles.size()) break;
      e.put_ulong(t.selected_profile);
      ior::encode(e, *t.reference);
      return;
  }
  e.set_fault(Fault::NullPointer);
}

}  // namespace callis::giop
