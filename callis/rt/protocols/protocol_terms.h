// SPDX-License-Identifier: Apache-2.0
// ProtocolTerms: a protocol of a policy, and the properties of its transport, as values (RT-CORBA 1.2, 2.12).
#pragma once
#include <cstdint>

namespace callis::rt {

// A protocol of ServerProtocolPolicy or ClientProtocolPolicy. Sizes in bytes; 0: as the system gives.
struct ProtocolTerms {
  std::uint32_t profile = 0;        // tag of the profile: kInternetProfile, kUiopProfile, kMemoryProfile
  bool has_properties = false;      // otherwise the rest has its defaults
  std::int32_t send_buffer = 0;     // of sockets
  std::int32_t receive_buffer = 0;  // of sockets; of memory endpoints: their buffer
  bool keep_alive = false, dont_route = false, no_delay = true;  // of TCP
  bool network_priority = false;  // of TCP; references do not tell it, as the standard's form has no place for it
  friend bool operator==(const ProtocolTerms&, const ProtocolTerms&) = default;
};

}  // namespace callis::rt
