// SPDX-License-Identifier: Apache-2.0
// Finds real-time policies that no adapter can be made with, alone or together (RT-CORBA 1.2, 2.7 to 2.12).
#pragma once
#include <callis/rt/core/threadpools.h>
#include <callis/rt/policies/policies.h>

namespace callis::rt {

// Returns the index of the first real-time policy of the list with which no adapter can be made; none if all is well.
// A policy is bad if its class is not the one of its type, or if it is the second of its type. Bands are bad if they
// do not fit the lanes, protocols if the ORB has no address of them. core: of the ORB whose pools and addresses
// count; nullptr if there is no such ORB: then every pool is unknown, and protocols are not checked.
std::optional<CORBA::UShort> find_bad_policy(const CORBA::PolicyList& policies, orb::Core* core);

// Returns whether the pool has a lane of that priority. In a pool without lanes every priority has a lane.
bool has_lane(const ThreadpoolTerms& pool, RTCORBA::Priority priority);
// Returns whether each band holds a lane of the pool. In a pool without lanes every band does.
bool bands_have_lanes(const std::vector<Band>& bands, const ThreadpoolTerms& pool);

}  // namespace callis::rt
