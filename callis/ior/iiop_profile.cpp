// SPDX-License-Identifier: Apache-2.0
// IIOP and UIOP profiles and their components, read and written.
#include <callis/ior/iiop_profile.h>
#include <callis/ior/internal/body.h>

namespace callis::ior {
namespace {

// What a resolver should never see: blanks and control characters. A NUL is refused with the string.
bool plausible_host(const std::string& host) {
  for (const char c : host) {
    const auto u = static_cast<unsigned char>(c);
    if (u <= 0x20 || u == 0x7f) return false;
  }
  return true;
}

}  // namespace

bool get_address(cdr::Decoder& d, Address& out) {
  if (!get_string(d, out.host)) return false;
  if (!plausible_host(out.host)) d.set_fault(Fault::BadReference);
  out.port = d.get_ushort();
  return d.ok();
}

void put_address(cdr::Encoder& e, const Address& a) {
  e.put_string(a.host);
  e.put_ushort(a.port);
}

const TaggedComponent* IiopProfile::component(std::uint32_t tag) const {
  for (const TaggedComponent& c : components) {
    if (c.tag == tag) return &c;
  }
  return nullptr;
}

namespace {

Result<IiopProfile> parse(ByteView profile_data, const Limits& limits, bool (*get_where)(cdr::Decoder&, Address&)) {
  cdr::Budget budget = cdr::Budget::of(limits, profile_data.size());
  cdr::Decoder d = cdr::Decoder::of_encapsulation(profile_data, budget);
  IiopProfile p;
  p.version.major = d.get_octet();
  p.version.minor = d.get_octet();
  if (!d.ok()) return bad(d.fault(), "IIOP profile: byte order or version");
  if (p.version.major != 1) return bad(Fault::BadVersion, "IIOP profile: major version is not 1");
  if (!get_where(d, p.address)) return bad(d.fault(), "IIOP profile: host or port");
  if (!get_octets(d, p.object_key, limits.max_context_bytes)) return bad(d.fault(), "IIOP profile: object key");
  if (p.version.minor > 0 && !decode(d, p.components, limits)) return bad(d.fault(), "IIOP profile: components");
  return p;
}

bool get_path(cdr::Decoder& d, Address& out) {
  if (!get_string(d, out.host)) return false;
  if (!out.host.starts_with('/')) d.set_fault(Fault::BadReference);
  return d.ok();
}

// What all bodies begin with, and end with.
void begin_body(cdr::Encoder& e, Version version, std::string_view where) {
  e.put_octet(version.major);
  e.put_octet(version.minor);
  e.put_string(where);
}
TaggedProfile end_body(Body& body, std::uint32_t tag, Version version, ByteView object_key,
                       const std::vector<TaggedComponent>& components) {
  body.encoder().put_octets(object_key);
  if (version.minor > 0) encode(body.encoder(), components);
  return body.finish(tag);
}

}  // namespace

Result<IiopProfile> parse_iiop(ByteView profile_data, const Limits& limits) {
  return parse(profile_data, limits, &get_address);
}

Result<IiopProfile> parse_uiop(ByteView profile_data, const Limits& limits) {
  return parse(profile_data, limits, &get_path);
}

TaggedProfile uiop_profile(Version version, std::string_view path, ByteView object_key,
                           const std::vector<TaggedComponent>& components, ByteOrder order) {
  Body body(order);
  begin_body(body.encoder(), version, path);
  return end_body(body, kUiopProfile, version, object_key, components);
}

TaggedProfile to_profile(const IiopProfile& p, ByteOrder order) {
  return to_profile(p.version, p.address, p.object_key, p.components, order);
}

TaggedProfile to_profile(Version version, const Address& address, ByteView object_key,
                         const std::vector<TaggedComponent>& components, ByteOrder order) {
  Body body(order);
  begin_body(body.encoder(), version, address.host);
  body.encoder().put_ushort(address.port);
  return end_body(body, kInternetProfile, version, object_key, components);
}

std::vector<Address> addresses(const IiopProfile& p) {
  std::vector<Address> all;
  const auto add = [&](Address a) {
    if (!a.host.empty() && a.port != 0) all.push_back(std::move(a));
  };
  add(p.address);
  for (const TaggedComponent& c : p.components) {
    if (c.tag != kAlternateIiopAddress) continue;
    const Result<Address> a = parse_alternate_address(c.data);
    if (a.ok()) add(a.value());
  }
  return all;
}

std::optional<std::uint32_t> orb_type(const IiopProfile& p) {
  const TaggedComponent* c = p.component(kOrbType);
  if (!c) return std::nullopt;
  cdr::Budget budget{c->data.size(), 1};
  cdr::Decoder d = cdr::Decoder::of_encapsulation(c->data, budget);
  const std::uint32_t type = d.get_ulong();
  if (!d.ok()) return std::nullopt;
  return type;
}

TaggedComponent orb_type_component(std::uint32_t type, ByteOrder order) {
  Body body(order);
  body.encoder().put_ulong(type);
  return body.finish(kOrbType);
}

Result<Address> parse_alternate_address(ByteView component_data) {
  cdr::Budget budget{component_data.size(), 1};
  cdr::Decoder d = cdr::Decoder::of_encapsulation(component_data, budget);
  Address a;
  if (!get_address(d, a)) return bad(d.ok() ? Fault::BadReference : d.fault(), "alternate IIOP address");
  return a;
}

TaggedComponent alternate_address_component(const Address& a, ByteOrder order) {
  Body body(order);
  put_address(body.encoder(), a);
  return body.finish(kAlternateIiopAddress);
}

Result<UnixAddress> parse_unix_address(ByteView component_data) {
  cdr::Budget budget{component_data.size(), 1};
  cdr::Decoder d = cdr::Decoder::of_encapsulation(component_data, budget);
  UnixAddress a;
  if (!get_string(d, a.host) || !get_string(d, a.path)) return bad(d.fault(), "address of a Unix-domain socket");
  return a;
}

TaggedComponent unix_address_component(const UnixAddress& a, ByteOrder order) {
  Body body(order);
  body.encoder().put_string(a.host);
  body.encoder().put_string(a.path);
  return body.finish(kOmniUnixTransport);
}

}  // namespace callis::ior
