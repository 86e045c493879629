// SPDX-License-Identifier: Apache-2.0
// Minor codes of real time; docs/guide/minor-codes.md explains each for users.
#pragma once
#include <callis/orb/base/minor_codes.h>

namespace callis::rt {

using classic::raise;

inline constexpr CORBA::ULong kNoRealTime = orb::kVmcid | 0xc0;       // INITIALIZE: -ORBRealTime required
inline constexpr CORBA::ULong kNotSet = orb::kVmcid | 0xc1;           // INITIALIZE: Current::the_priority
inline constexpr CORBA::ULong kBadPriority = orb::kVmcid | 0xc2;      // BAD_PARAM: outside 0 to 32767
inline constexpr CORBA::ULong kUnmapped = orb::kVmcid | 0xc3;         // DATA_CONVERSION
inline constexpr CORBA::ULong kRefused = orb::kVmcid | 0xc4;          // NO_PERMISSION: by the operating system
inline constexpr CORBA::ULong kLockedByMe = orb::kVmcid | 0xc5;       // BAD_INV_ORDER
inline constexpr CORBA::ULong kNotLocked = orb::kVmcid | 0xc6;        // BAD_INV_ORDER
inline constexpr CORBA::ULong kLockedByOther = orb::kVmcid | 0xc7;    // NO_PERMISSION
inline constexpr CORBA::ULong kMutexDestroyed = orb::kVmcid | 0xc8;   // OBJECT_NOT_EXIST
inline constexpr CORBA::ULong kMutexInUse = orb::kVmcid | 0xc9;       // BAD_INV_ORDER: destroy_mutex
inline constexpr CORBA::ULong kBadMutex = orb::kVmcid | 0xca;         // BAD_PARAM: nil, of another ORB, no name
inline constexpr CORBA::ULong kTooManyMutexes = orb::kVmcid | 0xcb;   // NO_RESOURCES
inline constexpr CORBA::ULong kBadPool = orb::kVmcid | 0xcc;          // BAD_PARAM: create_threadpool
inline constexpr CORBA::ULong kNoPools = orb::kVmcid | 0xcd;          // NO_IMPLEMENT
inline constexpr CORBA::ULong kBadRtPolicy = orb::kVmcid | 0xce;      // BAD_PARAM: create_..._policy
inline constexpr CORBA::ULong kTooManyKeys = orb::kVmcid | 0xcf;      // NO_RESOURCES: references with priorities
inline constexpr CORBA::ULong kNilMapping = orb::kVmcid | 0xd0;       // BAD_PARAM
inline constexpr CORBA::ULong kBadPlan = orb::kVmcid | 0xd1;          // BAD_PARAM: RTCosScheduling
inline constexpr CORBA::ULong kBadDefaultPolicy = orb::kVmcid | 0xd2;  // INV_POLICY: of the ORB, for an adapter
inline constexpr CORBA::ULong kNoLane = orb::kVmcid | 0xd4;           // NO_RESOURCES: create_threadpool
inline constexpr CORBA::ULong kTooManyThreads = orb::kVmcid | 0xd5;   // NO_RESOURCES: create_threadpool
inline constexpr CORBA::ULong kTooManyPools = orb::kVmcid | 0xd6;     // NO_RESOURCES: create_threadpool
inline constexpr CORBA::ULong kPoolInUse = orb::kVmcid | 0xd7;        // BAD_INV_ORDER: destroy_threadpool
inline constexpr CORBA::ULong kNoSuchPool = orb::kVmcid | 0xd8;       // INV_POLICY
inline constexpr CORBA::ULong kBadPriorityContext = orb::kVmcid | 0xd9;  // BAD_PARAM: RTCorbaPriority
inline constexpr CORBA::ULong kNotTransformed = orb::kVmcid | 0xda;   // UNKNOWN: PriorityTransform
inline constexpr CORBA::ULong kLaneExhausted = orb::kVmcid | 0xdb;    // TRANSIENT
inline constexpr CORBA::ULong kNotMapped = orb::kVmcid | 0xdc;        // DATA_CONVERSION
inline constexpr CORBA::ULong kTooManyPriorities = orb::kVmcid | 0xdd;  // NO_RESOURCES
inline constexpr CORBA::ULong kNoProtocol = orb::kVmcid | 0xdf;       // INV_POLICY
inline constexpr CORBA::ULong kNoBand = orb::kVmcid | 0xde;           // INV_POLICY

}  // namespace callis::rt
