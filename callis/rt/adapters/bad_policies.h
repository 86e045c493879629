// SPDX-License-Identifier: Apache-2.0
// Which real-time policies no adapter can be made with, alone or together (RT-CORBA 1.2, 2.7 to 2.12).
#pragma once
#include <callis/rt/core/threadpools.h>
#include <callis/rt/policies/policies.h>

namespace callis::rt {

// The index of the first real-time policy of the list with which no adapter can be made, none where all is well: one
// of a type with another class, the second of its type, bands that do not fit the lanes, protocols that the ORB has
// no address of. core: of the ORB whose pools and addresses count; nullptr where nobody asks for them.
std::optional<CORBA::UShort> find_bad_policy(const CORBA::PolicyList& policies, orb::Core* core);

// Whether requests of that priority have a lane: that of the same priority; of pools without lanes any.
bool has_lane(const ThreadpoolTerms& pool, RTCORBA::Priority priority);
// Whether each band holds a lane of the pool, of pools with lanes.
bool bands_have_lanes(const std::vector<Band>& bands, const ThreadpoolTerms& pool);

}  // namespace callis::rt
