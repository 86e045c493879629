// SPDX-License-Identifier: Apache-2.0
// Minor codes of system exceptions. docs/guide/minor-codes.md explains each for users.
//
// Standard ones are OMGVMCID | n (CORBA 3.3 part 1, A.5). Our own are kVmcid | n: n below 0x80 is the number of
// the Fault (callis/base/fault.h) that was the cause; the others are listed here.
#pragma once
#include <callis/base/fault.h>
#include <callis/classic/exception.h>

namespace callis::orb {

using classic::raise;

inline constexpr CORBA::ULong kVmcid = 0x43414000;

constexpr CORBA::ULong omg(CORBA::ULong n) { return CORBA::OMGVMCID | n; }
constexpr CORBA::ULong own(Fault f) { return kVmcid | static_cast<CORBA::ULong>(f); }

inline constexpr CORBA::ULong kTooManyForwards = kVmcid | 0x80;     // TRANSIENT
inline constexpr CORBA::ULong kClosedByPeer = kVmcid | 0x81;        // TRANSIENT
inline constexpr CORBA::ULong kBadOption = kVmcid | 0x82;           // BAD_PARAM
inline constexpr CORBA::ULong kBadForward = kVmcid | 0x83;          // INV_OBJREF
inline constexpr CORBA::ULong kAddressingRefused = kVmcid | 0x84;   // INV_OBJREF
inline constexpr CORBA::ULong kMessageErrorReceived = kVmcid | 0x85;  // COMM_FAILURE
inline constexpr CORBA::ULong kCannotListen = kVmcid | 0x86;        // INITIALIZE
inline constexpr CORBA::ULong kNoAdapter = kVmcid | 0x87;           // TRANSIENT
inline constexpr CORBA::ULong kLocalObject = kVmcid | 0x88;         // NO_IMPLEMENT
inline constexpr CORBA::ULong kNilReference = kVmcid | 0x89;        // INV_OBJREF
inline constexpr CORBA::ULong kNoRebind = kVmcid | 0x90;            // REBIND
inline constexpr CORBA::ULong kServersPolicy = kVmcid | 0x92;       // NO_PERMISSION
inline constexpr CORBA::ULong kNoReconnect = kVmcid | 0x91;         // REBIND
inline constexpr CORBA::ULong kNotBidirectional = kVmcid | 0x99;    // NO_PERMISSION
inline constexpr CORBA::ULong kForwardRefused = kVmcid | 0x8a;      // NO_PERMISSION
inline constexpr CORBA::ULong kNoPool = kVmcid | 0x98;              // NO_RESOURCES
inline constexpr CORBA::ULong kNotHeld = kVmcid | 0x9a;             // TRANSIENT
inline constexpr CORBA::ULong kForked = kVmcid | 0x9c;              // BAD_INV_ORDER

}  // namespace callis::orb
