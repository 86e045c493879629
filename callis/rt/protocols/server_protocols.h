// SPDX-License-Identifier: Apache-2.0
// ServerProtocols: what the ServerProtocolPolicies of adapters say of the sockets that their requests come through:
// those of one thread pool's lanes, or of the ORB's own addresses (RT-CORBA 1.2, 2.12). Adapters share these
// addresses, so the first policy that has properties for a protocol says them for all: until the pool, or the ORB,
// ends.
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
  // Whether an adapter may have these: no other properties are in force for any of them. priority: whose network
  // priority connections are to have; none for lanes, each of which has its own.
  bool fits(const std::vector<ProtocolTerms>& protocols, std::optional<RTCORBA::Priority> priority = {});
  // From now on connections that are accepted have these properties. False, and nothing has changed: they do not fit.
  bool use(const std::vector<ProtocolTerms>& protocols, std::optional<RTCORBA::Priority> priority = {});
  // Of a connection that has just been accepted. lane: the priority of the lane that has accepted it, if one has.
  // What the system refuses is logged, once for a protocol.
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

// Of the endpoints in memory among the addresses: connections to them have the memory for answers that the protocols
// say.
void configure_memory(const std::vector<ProtocolTerms>& protocols, const std::list<orb::EndpointAddress>& addresses);

// The addresses of these protocols, in their order.
std::list<orb::EndpointAddress> addresses_of(const std::vector<ProtocolTerms>& protocols,
                                             const std::list<orb::EndpointAddress>& all);

}  // namespace callis::rt
