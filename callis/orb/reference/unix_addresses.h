// SPDX-License-Identifier: Apache-2.0
// What references say of Unix-domain sockets; only in programs with the feature unix. Private to this library.
#pragma once
#include <callis/base/feature.h>
#include <callis/ior/reference.h>
#include <callis/ior/version.h>
#include <list>
#include <string>
#include <vector>

namespace callis::orb {

// A component for each socket. Returns the name of this host.
CALLIS_OPTIONAL std::string offer_sockets(const std::list<std::string>& paths, std::vector<ior::TaggedComponent>& to);
// A UIOP profile for each.
CALLIS_OPTIONAL void add_socket_profiles(const std::list<std::string>& paths, ior::Version version, ByteView object_key,
                                         const std::vector<ior::TaggedComponent>& components,
                                         std::vector<ior::TaggedProfile>& to);

}  // namespace callis::orb
