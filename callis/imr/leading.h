// SPDX-License-Identifier: Apache-2.0
// References that lead through a repository.
#pragma once
#include <callis/orb/client/reference.h>

namespace callis::imr {

// The profiles of a reference to `via` (the repository, or the server itself) with the key and components of another
// one. Empty where via has no profile of IIOP, UIOP or the memory transport.
std::vector<ior::TaggedProfile> profiles_via(const ior::Ior& via, ByteView object_key,
                                             const std::vector<ior::TaggedComponent>& components,
                                             const Limits& limits);

// What a client gets for an object of a server: the repository's address, and a key that names the server.
// The ORB that makes it knows by it that the object is its own, as by the direct one.
// direct: itself where it has no profile that can be read.
orb::ReferencePtr lead(orb::Reference& direct, const ior::Ior& repository, std::string_view server);

}  // namespace callis::imr
