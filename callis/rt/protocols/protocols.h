// SPDX-License-Identifier: Apache-2.0
// Protocols of ServerProtocolPolicy and ClientProtocolPolicy: their objects and their values.
#pragma once
#include <callis/idl/RTCORBA.h>
#include <callis/orb/options/transport.h>
#include <callis/rt/protocols/protocol_terms.h>
#include <vector>

namespace callis::rt {

// Properties of a transport, for the caller to own. BAD_PARAM for sizes below 0.
RTCORBA::TCPProtocolProperties_ptr make_tcp_properties(CORBA::Long send_buffer_size, CORBA::Long recv_buffer_size,
                                                       bool keep_alive, bool dont_route, bool no_delay,
                                                       bool network_priority = false);
RTCORBA::UnixDomainProtocolProperties_ptr make_unix_properties(CORBA::Long send_buffer_size,
                                                               CORBA::Long recv_buffer_size);
RTCORBA::SharedMemoryProtocolProperties_ptr make_memory_properties(CORBA::Long preallocate_buffer_size);

// The tag of the profiles that have a transport's addresses.
std::uint32_t profile_of(const orb::Transport& transport);

// The list as values, as its properties are now.
std::vector<ProtocolTerms> terms_of(const RTCORBA::ProtocolList& protocols);
// And back, with new objects.
RTCORBA::ProtocolList list_of(const std::vector<ProtocolTerms>& protocols);
// Returns a text about what is wrong with the list of a policy that is being made; nullptr if the list is right. In a
// right list each protocol is known here, stands there once, and has properties of its own kind or none.
const char* fault_of(const RTCORBA::ProtocolList& protocols);

}  // namespace callis::rt
