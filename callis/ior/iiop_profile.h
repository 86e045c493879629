// SPDX-License-Identifier: Apache-2.0
// The body of an IIOP profile, versions 1.0, 1.1 and 1.2 (CORBA 3.3 part 2, 9.7.2), and of TAO's UIOP profile, which
// is the same with a path for host and port.
#pragma once
#include <callis/ior/reference.h>
#include <callis/ior/tags.h>
#include <callis/ior/version.h>
#include <optional>

namespace callis::ior {

// Where a server listens: a DNS name, an IPv4 or an IPv6 address (without brackets) and a TCP port.
struct Address {
  std::string host;
  std::uint16_t port = 0;
  friend bool operator==(const Address&, const Address&) = default;
};

struct IiopProfile {
  Version version{1, 2};
  Address address;  // port 0: not reachable over plain TCP (such references carry a TLS component)
  Bytes object_key;
  std::vector<TaggedComponent> components;  // not in 1.0: ignored by to_profile() then
  friend bool operator==(const IiopProfile&, const IiopProfile&) = default;

  // The first component with the tag; nullptr when there is none.
  const TaggedComponent* component(std::uint32_t tag) const;
};

// Reads the data of a profile with tag kInternetProfile. A minor version above 2 is read as 1.2 and bytes
// after the known members are ignored, as 9.7.2 demands. A host with control characters or blanks, and
// another major version, are faults.
Result<IiopProfile> parse_iiop(ByteView profile_data, const Limits& limits = {});
// Writes a profile, in order's byte order; the second, one without an IiopProfile at hand.
TaggedProfile to_profile(const IiopProfile& p, ByteOrder order = kNativeOrder);
TaggedProfile to_profile(Version version, const Address& address, ByteView object_key,
                         const std::vector<TaggedComponent>& components, ByteOrder order = kNativeOrder);

// The same for profiles with tag kUiopProfile: the host is the path of the socket, absolute; the port is 0.
Result<IiopProfile> parse_uiop(ByteView profile_data, const Limits& limits = {});
TaggedProfile uiop_profile(Version version, std::string_view path, ByteView object_key,
                           const std::vector<TaggedComponent>& components, ByteOrder order = kNativeOrder);

// Lets add(tag, components) add to the components of each IIOP and UIOP profile that can be read; tag: the profile's.
template <class Add>
void add_components(Ior& ior, const Limits& limits, Add&& add) {
  for (TaggedProfile& p : ior.profiles) {
    const bool uiop = p.tag == kUiopProfile;
    if (!uiop && p.tag != kInternetProfile) continue;
    auto read = uiop ? parse_uiop(p.data, limits) : parse_iiop(p.data, limits);
    if (!read) continue;
    IiopProfile& body = read.value();
    add(p.tag, body.components);
    p = uiop ? uiop_profile(body.version, body.address.host, body.object_key, body.components) : to_profile(body);
  }
}

// Where to try: the profile's own address, then those of its TAG_ALTERNATE_IIOP_ADDRESS components
// (9.7.3); addresses with port 0 and malformed components are left out.
std::vector<Address> addresses(const IiopProfile& p);

// TAG_ORB_TYPE: which ORB made the reference.
std::optional<std::uint32_t> orb_type(const IiopProfile& p);
TaggedComponent orb_type_component(std::uint32_t type, ByteOrder order = kNativeOrder);

// TAG_OMNIORB_UNIX_TRANS: a socket on a host, by the name that gethostname() gives there.
struct UnixAddress {
  std::string host, path;
  friend bool operator==(const UnixAddress&, const UnixAddress&) = default;
};
Result<UnixAddress> parse_unix_address(ByteView component_data);
TaggedComponent unix_address_component(const UnixAddress& a, ByteOrder order = kNativeOrder);

// TAG_ALTERNATE_IIOP_ADDRESS
Result<Address> parse_alternate_address(ByteView component_data);
TaggedComponent alternate_address_component(const Address& a, ByteOrder order = kNativeOrder);

}  // namespace callis::ior
