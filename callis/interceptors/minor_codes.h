// SPDX-License-Identifier: Apache-2.0
// Minor codes of interceptors; docs/guide/minor-codes.md explains each for users.
#pragma once
#include <callis/orb/base/minor_codes.h>

namespace callis::interceptors {

inline constexpr CORBA::ULong kTooManySlots = orb::kVmcid | 0xb0;        // IMP_LIMIT
inline constexpr CORBA::ULong kTooManyContexts = orb::kVmcid | 0xb1;     // IMP_LIMIT
inline constexpr CORBA::ULong kInterceptorThrew =
    orb::kVmcid | 0xb2;  // UNKNOWN: not a CORBA exception, or not its to raise
inline constexpr CORBA::ULong kNilInterceptor = orb::kVmcid | 0xb3;      // BAD_PARAM: a nil object
inline constexpr CORBA::ULong kBadInterceptorForward =
    orb::kVmcid | 0xb4;  // INV_OBJREF: ForwardRequest to nil or a local object

}  // namespace callis::interceptors
