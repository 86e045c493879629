// SPDX-License-Identifier: Apache-2.0
#include <callis/ior/internal/body.h>
#include <callis/ior/reference.h>
#include <callis/ior/tags.h>

namespace callis::ior {

bool get_string(cdr::Decoder& d, std::string& out) {
  const std::uint32_t n = d.string_length();
  if (n == 0) return false;
  out.resize(n);
  if (!d.get_characters(out.data(), n)) return false;
  out.pop_back();  // the NUL
  return true;
}

bool get_octets(cdr::Decoder& d, Bytes& out, std::size_t max_bytes) {
  const std::uint32_t n = d.get_ulong();
  if (n > d.remaining()) d.set_fault(Fault::BadCount);
  if (n > max_bytes) d.set_fault(Fault::LimitExceeded);
  if (!d.ok() || !d.charge(n)) return false;
  out.resize(n);
  return d.get_bytes(out.data(), n);
}

namespace {

// A tag and a count: the least that a tagged profile or component takes on the wire.
constexpr std::size_t kMinTagged = 8;

template <class Tagged>
bool get_list(cdr::Decoder& d, std::vector<Tagged>& out, const Limits& limits) {
  const std::uint32_t n = d.count(kMinTagged, sizeof(Tagged));
  if (n > limits.max_profiles) d.set_fault(Fault::LimitExceeded);
  if (!d.ok()) return false;
  out.resize(n);
  for (Tagged& t : out) {
    t.tag = d.get_ulong();
    if (!get_octets(d, t.data, limits.max_context_bytes)) return false;
  }
  return true;
}

template <class Tagged>
void put_list(cdr::Encoder& e, const std::vector<Tagged>& list) {
  e.put_ulong(static_cast<std::uint32_t>(list.size()));
  for (const Tagged& t : list) {
    e.put_ulong(t.tag);
    e.put_octets(t.data);
  }
}

}  // namespace

bool decode(cdr::Decoder& from, Ior& out, const Limits& limits) {
  Ior ior;
  if (!get_string(from, ior.type_id) || !get_list(from, ior.profiles, limits)) return false;
  out = std::move(ior);
  return true;
}

void encode(cdr::Encoder& to, const Ior& ior) {
  to.put_string(ior.type_id);
  put_list(to, ior.profiles);
}

bool decode(cdr::Decoder& from, std::vector<TaggedComponent>& out, const Limits& limits) {
  std::vector<TaggedComponent> components;
  if (!get_list(from, components, limits)) return false;
  out = std::move(components);
  return true;
}

void encode(cdr::Encoder& to, const std::vector<TaggedComponent>& components) { put_list(to, components); }

Fault find_object_key(std::uint32_t profile_tag, ByteView profile_data, ByteView& key) {
  if (profile_tag != kInternetProfile && profile_tag != kMemoryProfile) return Fault::Unsupported;
  cdr::Budget budget{profile_data.size(), 1};
  cdr::Decoder d = cdr::Decoder::of_encapsulation(profile_data, budget);
  if (profile_tag == kInternetProfile) {
    const std::uint8_t major = d.get_octet();
    d.get_octet();  // minor: the key stands in the same place in all
    if (d.ok() && major != 1) return Fault::BadVersion;
    d.get_string();  // host
    d.get_ushort();  // port
  } else {
    d.get_string();  // endpoint
  }
  const ByteView found = d.get_octets();
  if (d.ok()) key = found;
  return d.fault();
}

}  // namespace callis::ior
