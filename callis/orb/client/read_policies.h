// SPDX-License-Identifier: Apache-2.0
// Reads the policies in force for a call, and the policies that references carry. Only programs that set policies
// have this code: CallTerms::set_reader().
#pragma once
#include <callis/orb/context/call_policies.h>
#include <chrono>
#include <optional>

namespace callis::orb {

class Reference;
struct CallTerms;

// A RebindMode beyond Messaging's, for references that strangers name (callis/messaging/bound_object.h). It is like
// NO_RECONNECT, but a new connection may be made to the address that the reference was bound at.
inline constexpr std::uint64_t kStays = 3;

// The value of that policy type in the reference; none if the reference has no readable value.
std::optional<std::uint64_t> carried_policy(const Reference& r, const ExposedPolicy& p);
// The part of own that the server allows by carried; none if nothing is left.
std::optional<std::uint64_t> reconciled(const ExposedPolicy& p, std::uint64_t own, std::uint64_t carried);
void add(ior::PolicyValues& to, const ExposedPolicy& p, std::uint64_t number);

// A CallTerms::Reader.
void read_policies(const Reference& target, std::chrono::steady_clock::time_point now, CallTerms& terms);

}  // namespace callis::orb
