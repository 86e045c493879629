// SPDX-License-Identifier: Apache-2.0
// References, and lists of components, read and written.
#include <callis/ior/internal/body.h>
#include <callis/ior/reference.h>
#include <callis/ior/tags.h>
#include <algorithm>

namespace callis::ior {

void add(std::vector<TaggedProfile>& list, TaggedProfile&& one) { list.push_back(std::move(one)); }

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

Body::Body(ByteOrder order) : encoder_(buffer_, order) { encoder_.put_octet(static_cast<std::uint8_t>(order)); }

TaggedProfile Body::finish(std::uint32_t tag) {
  encoder_.finish();
  TaggedProfile made{tag, {}};
  if (encoder_.fault() == Fault::None) {
    made.data.resize(buffer_.size());
    std::copy_n(buffer_.data(), buffer_.size(), made.data.data());
  }
  return made;
}

Error bad(Fault f, const char* what) { return Error{f, 0, what}; }

namespace {

// A tag and a count: the least that a tagged profile or component takes on the wire.
constexpr std::size_t kMinTagged = 8;

bool get_list(cdr::Decoder& d, std::vector<TaggedProfile>& out, const Limits& limits) {
  const std::uint32_t n = d.count(kMinTagged, sizeof(TaggedProfile));
  if (n > limits.max_profiles) d.set_fault(Fault::LimitExceeded);
  if (!d.ok()) return false;
  out.reserve(n);
  for (std::uint32_t i = 0; i < n; ++i) {
    TaggedProfile t;
    t.tag = d.get_ulong();
    if (!get_octets(d, t.data, limits.max_context_bytes)) return false;
    add(out, std::move(t));
  }
  return true;
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
  encode(to, ior.profiles);
}

bool decode(cdr::Decoder& from, std::vector<TaggedComponent>& out, const Limits& limits) {
  std::vector<TaggedComponent> components;
  if (!get_list(from, components, limits)) return false;
  out = std::move(components);
  return true;
}

void encode(cdr::Encoder& to, const std::vector<TaggedComponent>& components) {
  to.put_ulong(static_cast<std::uint32_t>(components.size()));
  for (const TaggedComponent& t : components) {
    to.put_ulong(t.tag);
    to.put_octets(t.data);
  }
}

Fault find_object_key(std::uint32_t profile_tag, ByteView profile_data, ByteView& key) {
  if (profile_tag != kInternetProfile && profile_tag != kUiopProfile && profile_tag != kMemoryProfile)
    return Fault::Unsupported;
  cdr::Budget budget{profile_data.size(), 1};
  cdr::Decoder d = cdr::Decoder::of_encapsulation(profile_data, budget);
  if (profile_tag != kMemoryProfile) {
    const std::uint8_t major = d.get_octet();
    d.get_octet();  // minor: the key stands in the same place in all
    if (d.ok() && major != 1) return Fault::BadVersion;
    d.get_string();  // host, or path
    if (profile_tag == kInternetProfile) d.get_ushort();  // port
  } else {
    d.get_string();  // endpoint
  }
  const ByteView found = d.get_octets();
  if (d.ok()) key = found;
  return d.fault();
}

}  // namespace callis::ior
