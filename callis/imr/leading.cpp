// SPDX-License-Identifier: Apache-2.0
// How references that lead through a repository are made of direct ones.
#include <callis/imr/key.h>
#include <callis/imr/leading.h>
#include <callis/ior/iiop_profile.h>
#include <callis/ior/memory_profile.h>
#include <callis/orb/client/steering.h>
#include <callis/orb/context/orb_context.h>
#include <callis/orb/endpoint/endpoint.h>
#include <algorithm>

namespace callis::imr {

namespace {

// What says where the server is, and not what it is.
bool is_address(const ior::TaggedComponent& c) {
  return c.tag == ior::kAlternateIiopAddress || c.tag == ior::kOmniUnixTransport || c.tag == ior::kSslSecTrans;
}

struct Direct {
  ByteView object_key;
  std::vector<ior::TaggedComponent> components;
};

// Of the first profile that can be read.
std::optional<Direct> read(const ior::Ior& ior, const Limits& limits) {
  for (const ior::TaggedProfile& p : ior.profiles) {
    Direct out;
    if (ior::find_object_key(p.tag, p.data, out.object_key) != Fault::None) continue;
    if (p.tag == ior::kInternetProfile || p.tag == ior::kUiopProfile) {
      auto body = p.tag == ior::kUiopProfile ? ior::parse_uiop(p.data, limits) : ior::parse_iiop(p.data, limits);
      if (body) out.components = std::move(body.value().components);
    }
    return out;
  }
  return {};
}

// The paths to the object in this ORB, with the key inside that of the reference that leads to it.
std::vector<orb::Path> own_paths(orb::Reference& direct, const orb::Reference& leading, std::size_t inner_bytes) {
  const ior::TaggedProfile& first = leading.ior().profiles[0];
  ByteView key;
  std::vector<orb::Path> out;
  if (ior::find_object_key(first.tag, first.data, key) != Fault::None || key.size() < inner_bytes) return out;
  for (orb::Path path : direct.paths()) {
    if (!path.endpoint->is_own()) continue;
    path.profile = 0;
    path.object_key = key.last(inner_bytes);
    out.push_back(std::move(path));
  }
  return out;
}

}  // namespace

std::vector<ior::TaggedProfile> profiles_via(const ior::Ior& via, ByteView object_key,
                                             const std::vector<ior::TaggedComponent>& components,
                                             const Limits& limits) {
  std::vector<ior::TaggedProfile> out;
  for (const ior::TaggedProfile& p : via.profiles) {
    if (p.tag == ior::kMemoryProfile) {
      if (const auto read = ior::parse_memory(p.data, limits))
        out.push_back(ior::memory_profile(read.value().endpoint, object_key));
      continue;
    }
    const bool uiop = p.tag == ior::kUiopProfile;
    if (!uiop && p.tag != ior::kInternetProfile) continue;
    auto read = uiop ? ior::parse_uiop(p.data, limits) : ior::parse_iiop(p.data, limits);
    if (!read) continue;
    const ior::IiopProfile& body = read.value();
    std::vector<ior::TaggedComponent> all;
    for (const ior::TaggedComponent& c : body.components)
      if (is_address(c)) all.push_back(c);
    for (const ior::TaggedComponent& c : components)
      if (!is_address(c)) all.push_back(c);
    // A corbaloc: says 1.0, which has no components; a repository speaks 1.2.
    const ior::Version version{1, 2};
    out.push_back(uiop ? ior::uiop_profile(version, body.address.host, object_key, all)
                       : ior::to_profile(version, body.address, object_key, all));
  }
  return out;
}

orb::ReferencePtr lead(orb::Reference& direct, const ior::Ior& repository, std::string_view server) {
  const Limits& limits = direct.orb().limits();
  const auto read_of = read(direct.ior(), limits);
  if (!read_of) return orb::ReferencePtr(&direct);
  ior::Ior ior;
  ior.type_id = direct.ior().type_id;
  ior.profiles = profiles_via(repository, make_key(server, read_of->object_key), read_of->components, limits);
  if (ior.profiles.empty()) return orb::ReferencePtr(&direct);
  auto made = orb::ReferencePtr::adopt(new orb::Reference(direct.orb(), std::move(ior)));
  if (auto paths = own_paths(direct, *made, read_of->object_key.size()); !paths.empty())
    made->set_paths(std::move(paths), nullptr);
  return made;
}

}  // namespace callis::imr
