// SPDX-License-Identifier: Apache-2.0
// Tags of profiles and components, and code set numbers (OMG standard tags; OSF character set registry).
#pragma once
#include <cstddef>
#include <cstdint>

namespace callis::ior {

// Profile tags (CORBA 3.3 part 2, 7.6.2)
inline constexpr std::uint32_t kInternetProfile = 0;    // TAG_INTERNET_IOP
inline constexpr std::uint32_t kMultipleComponents = 1;  // TAG_MULTIPLE_COMPONENTS
// TAO's: an object behind a Unix-domain socket. Body as that of an IIOP profile, with the socket's path for host and
// port.
inline constexpr std::uint32_t kUiopProfile = 0x54414F00;
// callis's own: an endpoint of the memory transport in the same process. Body: an encapsulation of
// {string endpoint; sequence<octet> object_key}. Means nothing to anybody else.
inline constexpr std::uint32_t kMemoryProfile = 0x43414C00;

// Component tags (7.6.3, 7.6.6)
inline constexpr std::uint32_t kOrbType = 0;
inline constexpr std::uint32_t kCodeSets = 1;
inline constexpr std::uint32_t kPolicies = 2;
inline constexpr std::uint32_t kAlternateIiopAddress = 3;
inline constexpr std::uint32_t kSslSecTrans = 20;
// omniORB's: a Unix-domain socket of the server's host. Body: an encapsulation of {string host; string path}.
inline constexpr std::uint32_t kOmniUnixTransport = 0x41545402;

// Value of TAG_ORB_TYPE in references that callis makes ("CAL" and a zero).
inline constexpr std::uint32_t kCallisOrbType = 0x43414C00;
inline constexpr std::uint32_t kOmniOrbType = 0x41545400;  // in those of omniORB

// Code sets
inline constexpr std::uint32_t kIso8859_1 = 0x00010001;
inline constexpr std::uint32_t kUcs2 = 0x00010100;  // level 1; 2 and 3 follow
inline constexpr std::uint32_t kUcs4 = 0x00010104;  // level 1; 2 and 3 follow
inline constexpr std::uint32_t kUtf16 = 0x00010109;
inline constexpr std::uint32_t kUtf8 = 0x05010001;

// Standard names for messages ("TAG_CODE_SETS", "UTF-8"); nullptr for numbers not known here.
const char* profile_tag_name(std::uint32_t tag) noexcept;
const char* component_tag_name(std::uint32_t tag) noexcept;
const char* code_set_name(std::uint32_t code_set) noexcept;

}  // namespace callis::ior
