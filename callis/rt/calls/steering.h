// SPDX-License-Identifier: Apache-2.0
// The client's side of real-time policies: which connection a call takes, and what it says of its priority.
//
//   reference with CLIENT_PROPAGATED ── choose() ──→ one reference for each priority that calls have had:
//                                                       the address of the lane, if references say where it is
//                                                       connections of its band, or of its priority, alone
//                                                       the service context RTCorbaPriority
//
// So a call of a priority that there has been one of before is as quick as any other call: header, connection and
// path are known. References with SERVER_DECLARED name the object's lane as their address, and need no choice.
//
// callis/orb/client/steering.h is the seam; the functions that it declares stand here.
#pragma once

namespace callis::rt {

// Calls of the process choose from now on.
void steer_calls();

}  // namespace callis::rt
