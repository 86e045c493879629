// SPDX-License-Identifier: Apache-2.0
// Real-time policies in references: values of the component TAG_POLICIES (CORBA 3.0.3, 22.3.2), each an encapsulation
// of its own (Real-time CORBA 1.2, "client-exposed"):
//
//   PriorityModelPolicy             PriorityModel, Priority
//   PriorityBandedConnectionPolicy  sequence<PriorityBand>
//   ClientProtocolPolicy            sequence<{ProfileId, the properties of that transport}>
#pragma once
#include <callis/base/endian.h>
#include <callis/ior/reference.h>
#include <callis/rt/policies/policies.h>

namespace callis::rt {

// Returns the bytes of a TAG_POLICIES component: the values in `before`, which is such a component or empty, and the
// policies that clients are to know. priority: the object's own, if it has one. Returns no bytes if there is no
// value. If `before` cannot be read, it is left out.
ior::Bytes with_policy_values(ByteView before, const RtPolicies& policies,
                              std::optional<RTCORBA::Priority> priority = std::nullopt,
                              ByteOrder order = kNativeOrder);

// Reads the policies of a component, from the peer. Values that are malformed, or beyond kMostBands and
// kMostProtocols, count as absent.
inline constexpr std::uint32_t kMostBands = 256, kMostProtocols = 64;
RtPolicies read_policy_values(ByteView component, const Limits& limits = {});
// Reads the policies of a whole reference: of the first IIOP or UIOP profile that has some.
RtPolicies read_policy_values(const ior::Ior& ior, const Limits& limits = {});

}  // namespace callis::rt
