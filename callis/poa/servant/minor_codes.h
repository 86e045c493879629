// SPDX-License-Identifier: Apache-2.0
// Minor codes of our own in the exceptions that the object adapter raises (see callis/orb/base/minor_codes.h).
#pragma once
#include <callis/orb/base/minor_codes.h>

namespace callis::poa {

using classic::raise;

inline constexpr CORBA::ULong kObjectNotActive = orb::kVmcid | 0xa0;   // OBJECT_NOT_EXIST: adapter known, object not
inline constexpr CORBA::ULong kAdapterDestroyed = orb::kVmcid | 0xa1;  // OBJECT_NOT_EXIST: call on a destroyed POA
inline constexpr CORBA::ULong kNilArgument = orb::kVmcid | 0xa2;       // BAD_PARAM: nil servant or reference
inline constexpr CORBA::ULong kTooManyAdapters = orb::kVmcid | 0xa3;   // NO_RESOURCES
inline constexpr CORBA::ULong kTooManyObjects = orb::kVmcid | 0xa4;    // NO_MEMORY: no slot or no memory
inline constexpr CORBA::ULong kServantThrew = orb::kVmcid | 0xa5;      // UNKNOWN: a C++ exception left a servant
inline constexpr CORBA::ULong kServantNoMemory = orb::kVmcid | 0xa6;   // NO_MEMORY: std::bad_alloc left a servant

inline constexpr CORBA::ULong kNilForward = orb::kVmcid | 0xa7;        // OBJ_ADAPTER: ForwardRequest to nil or local

}  // namespace callis::poa
