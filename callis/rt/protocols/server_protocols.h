// SPDX-License-Identifier: Apache-2.0
// ServerProtocols: the properties of the sockets that requests come through, by the ServerProtocolPolicies of
// adapters (RT-CORBA 1.2, 2.12). There is one for each thread pool, and one for the ORB's own addresses. Adapters
// share these addresses. So the first policy with properties for a protocol sets them for all, until the pool, or the
// ORB, ends.
#pragma once
#include <callis/orb/options/transport.h>
#include <callis/rt/priorities/network_mappings.h>
#include <callis/rt/protocols/protocol_terms.h>
#include <atomic>
#include <list>
#include <mutex>
#include <vector>

namespace callis::rt {

// Any thread.
class ServerProtocols final {
 public:
  // Returns whether an adapter may have these protocols: none of them has other properties in force. priority: its
  // network priority is for the connections; none for lanes, each of which has its own.
  bool fits(const std::vector<ProtocolTerms>& protocols, std::optional<RTCORBA::Priority> priority = {});
  // Connections that are accepted from now on have these properties. Returns false, and changes nothing, if they do
  // not fit.
  bool use(const std::vector<ProtocolTerms>& protocols, std::optional<RTCORBA::Priority> priority = {});
  // Sets the properties of a connection that has just been accepted. lane: the priority of the lane that has accepted
  // it, if any. A refusal by the system is logged, once for a protocol.
  void configure(transport::Stream& accepted, const NetworkPriorityMapper& network,
                 std::optional<RTCORBA::Priority> lane = {});

 private:
  struct Known {
    ProtocolTerms terms;  // constant once it is set, as is the priority
    std::optional<RTCORBA::Priority> priority;
    std::atomic<bool> set{false}, complained{false};
  };
  Known* known(std::uint32_t profile);  // nullptr: of a protocol without properties

  std::mutex mutex_;  // of who sets something
  Known tcp_, unix_, memory_;
};

// Connections to the endpoints in memory among the addresses get memory for answers as the protocols say.
void configure_memory(const std::vector<ProtocolTerms>& protocols, const std::list<orb::EndpointAddress>& addresses);

// The addresses of these protocols, in their order.
std::list<orb::EndpointAddress> addresses_of(const std::vector<ProtocolTerms>& protocols,
                                             const std::list<orb::EndpointAddress>& all);

}  // namespace callis::rt
