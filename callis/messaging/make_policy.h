// SPDX-License-Identifier: Apache-2.0
// Functions to make policies without an Any, for this library and for callis/compat. The header is not installed.
#pragma once
#include <callis/messaging.h>

namespace callis::messaging {

// Returns a RelativeRoundtripTimeout; the caller owns it. expiry: 0 is no limit.
CORBA::Policy_ptr make_roundtrip_timeout(TimeBase::TimeT expiry);
// Returns a Callis::ConnectionTimeoutPolicy; the caller owns it. expiry: 0 is no limit.
CORBA::Policy_ptr make_connection_timeout(TimeBase::TimeT expiry);
// Returns a RebindPolicy of mode orb::kStays; the caller owns it.
CORBA::Policy_ptr make_staying();

}  // namespace callis::messaging
