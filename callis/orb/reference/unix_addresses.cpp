// SPDX-License-Identifier: Apache-2.0
#include <callis/orb/context/orb_context.h>
#include <callis/orb/endpoint/endpoint_directory.h>
#include <callis/orb/options/forward_to.h>
#include <callis/orb/reference/reference.h>
#include <callis/orb/reference/unix_addresses.h>
#include <callis/transport/transport.h>

CALLIS_PROVIDE(unix_addresses);

namespace callis::orb {

std::string offer_sockets(const std::list<std::string>& paths, std::vector<ior::TaggedComponent>& to) {
  std::string host = transport::host_name();
  for (const std::string& path : paths) ior::add(to, ior::unix_address_component({host, path}));
  return host;
}

void add_socket_profiles(const std::list<std::string>& paths, ior::Version version, ByteView object_key,
                         const std::vector<ior::TaggedComponent>& components, std::vector<ior::TaggedProfile>& to) {
  for (const std::string& path : paths) ior::add(to, ior::uiop_profile(version, path, object_key, components));
}

void Reference::add_unix(const ior::IiopProfile& profile, bool uiop, bool any_host, const Path& path, std::string_view suffix,
                         ForwardRule* rule) {
  const auto add = [&](const std::string& socket) {
    if (!rule || rule->allows("unix:" + socket)) add_path(path, orb_->endpoints().unix_socket(socket, suffix));
  };
  bool elsewhere = false;
  for (const ior::TaggedComponent& c : profile.components) {
    if (c.tag != ior::kOmniUnixTransport) continue;
    const auto a = ior::parse_unix_address(c.data);
    if (!a) continue;
    const bool here = a->host == transport::host_name();
    if (here) add(a->path);
    elsewhere |= !here;
  }
  if (uiop && (any_host || !elsewhere)) add(profile.address.host);
}

}  // namespace callis::orb
