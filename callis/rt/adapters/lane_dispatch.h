// SPDX-License-Identifier: Apache-2.0
// What stands between a request and its servant in adapters with real-time policies: the priority that the request
// has, the lane that it belongs to, and a permit of its pool.
//
//   request ──→ adapter finds the servant ──→ priority ──→ lane ── this thread's ──→ permit ──→ servant
//                                                            └── another's ──→ LOCATION_FORWARD to its address
//
// A one-way request that came to another lane than its own has no reply to be forwarded by; it is executed where it
// is, at its own priority. So is a call from within the ORB, by the thread that makes it.
#pragma once

namespace callis::rt {

// The adapters of the process have it from now on.
void watch_requests();

}  // namespace callis::rt
