// SPDX-License-Identifier: Apache-2.0
// The data of the service context BI_DIR_IIOP (CORBA 3.3 part 2, 9.8.1): where who opened a connection listens.
// References that lead there may be called over the connection instead.
#pragma once
#include <callis/ior/iiop_profile.h>

namespace callis::ior {

// Those that have a host and a port; others are left out. LimitExceeded for more than max_profiles, BadReference for
// a host with control characters or blanks, and the faults of an encapsulation.
Result<std::vector<Address>> parse_listen_points(ByteView context_data, const Limits& limits = {});
// Empty when memory is exhausted.
Bytes listen_points_context(std::span<const Address> points, ByteOrder order = kNativeOrder);

}  // namespace callis::ior
