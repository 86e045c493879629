// SPDX-License-Identifier: Apache-2.0
// Policies made without an Any. Private to this library.
#pragma once
#include <callis/messaging.h>

namespace callis::messaging {

// RelativeRoundtripTimeout; the caller owns it. expiry: 0: no limit.
CORBA::Policy_ptr make_roundtrip_timeout(TimeBase::TimeT expiry);
// RebindPolicy of mode orb::kStays; the caller owns it.
CORBA::Policy_ptr make_staying();

}  // namespace callis::messaging
