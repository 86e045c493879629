// SPDX-License-Identifier: Apache-2.0
// Takes a request to its servant in adapters with real-time policies: to its priority, to its lane, and through a
// permit of the pool.
//
//   request ──→ adapter finds the servant ──→ priority ──→ lane ── this thread's ──→ permit ──→ servant
//                                                            └── another's ──→ LOCATION_FORWARD to its address
//
// A one-way request that came to a wrong lane has no reply to be forwarded by. It is executed in that lane, at its
// own priority. A call from within the ORB is executed by the calling thread, also at its own priority.
#pragma once

namespace callis::rt {

// The adapters of the process have it from now on.
void watch_requests();

}  // namespace callis::rt
