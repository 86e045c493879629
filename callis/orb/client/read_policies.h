// SPDX-License-Identifier: Apache-2.0
// What the policies in force make of a call, and what references carry of policies. Only programs that set policies
// have this: CallTerms::set_reader().
#pragma once
#include <callis/orb/context/call_policies.h>
#include <chrono>
#include <optional>

namespace callis::orb {

class Reference;
struct CallTerms;

// A RebindMode beyond Messaging's, of references that strangers name (callis/messaging/bound_object.h): as
// NO_RECONNECT, but the connection may be made anew, to the address that the reference was bound at.
inline constexpr std::uint64_t kStays = 3;

// What the reference carries of that type; none where it carries nothing that can be read.
std::optional<std::uint64_t> carried_policy(const Reference& r, const ExposedPolicy& p);
// What is left of own where the server allows carried; none: nothing.
std::optional<std::uint64_t> reconciled(const ExposedPolicy& p, std::uint64_t own, std::uint64_t carried);
void add(ior::PolicyValues& to, const ExposedPolicy& p, std::uint64_t number);

// A CallTerms::Reader.
void read_policies(const Reference& target, std::chrono::steady_clock::time_point now, CallTerms& terms);

}  // namespace callis::orb
