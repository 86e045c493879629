// SPDX-License-Identifier: Apache-2.0
// Minor codes of dynamic scheduling; docs/guide/minor-codes.md explains each for users.
#pragma once
#include <callis/orb/base/minor_codes.h>

namespace callis::rt::scheduling {

inline constexpr CORBA::ULong kThreadCancelled = orb::kVmcid | 0xe0;  // THREAD_CANCELLED
inline constexpr CORBA::ULong kNoSegment = orb::kVmcid | 0xe1;        // BAD_INV_ORDER: no segment to end or update
inline constexpr CORBA::ULong kOtherSegment = orb::kVmcid | 0xe2;     // BAD_INV_ORDER: not the innermost one's name
inline constexpr CORBA::ULong kThreadOver = orb::kVmcid | 0xe3;       // OBJECT_NOT_EXIST: the thread has ended
inline constexpr CORBA::ULong kBadParameter = orb::kVmcid | 0xe4;     // BAD_PARAM: a value that means nothing
inline constexpr CORBA::ULong kBadContext = orb::kVmcid | 0xe5;       // MARSHAL: a malformed service context
inline constexpr CORBA::ULong kLockOrder = orb::kVmcid | 0xe6;        // BAD_INV_ORDER: a lock held, or not held
inline constexpr CORBA::ULong kNoThread = orb::kVmcid | 0xe7;         // NO_RESOURCES: spawn() got no native thread
inline constexpr CORBA::ULong kNoRealTime = orb::kVmcid | 0xe8;       // INITIALIZE: SCHED_FIFO is not permitted
inline constexpr CORBA::ULong kOtherScheduler = orb::kVmcid | 0xe9;   // BAD_PARAM: no scheduler of callis's
inline constexpr CORBA::ULong kBadName = orb::kVmcid | 0xea;          // BAD_PARAM: a name is too long
inline constexpr CORBA::ULong kCancellation = orb::kVmcid | 0xeb;     // NO_IMPLEMENT: ends a request to cancel

}  // namespace callis::rt::scheduling
