// SPDX-License-Identifier: Apache-2.0
#include <callis/base/log.h>
#include <callis/base/text.h>
#include <callis/ior/tags.h>
#include <callis/rt/protocols/protocols.h>
#include <callis/rt/protocols/server_protocols.h>
#include <callis/rt/protocols/socket_properties.h>
#include <callis/transport/memory/memory.h>
#include <algorithm>
#include <cstring>
#include <sys/socket.h>

namespace callis::rt {

ServerProtocols::Known* ServerProtocols::known(std::uint32_t profile) {
  switch (profile) {
    case ior::kInternetProfile: return &tcp_;
    case ior::kUiopProfile: return &unix_;
    case ior::kMemoryProfile: return &memory_;
    default: return nullptr;
  }
}

bool ServerProtocols::fits(const std::vector<ProtocolTerms>& protocols, std::optional<RTCORBA::Priority> priority) {
  return std::ranges::all_of(protocols, [this, priority](const ProtocolTerms& p) {
    const Known* const k = known(p.profile);
    if (!k || !p.has_properties || !k->set.load(std::memory_order_acquire)) return true;
    return k->terms == p && (!p.network_priority || k->priority == priority);
  });
}

bool ServerProtocols::use(const std::vector<ProtocolTerms>& protocols, std::optional<RTCORBA::Priority> priority) {
  const std::lock_guard lock(mutex_);
  if (!fits(protocols, priority)) return false;
  for (const ProtocolTerms& p : protocols) {
    Known* const k = known(p.profile);
    if (!k || !p.has_properties || k->set.load(std::memory_order_relaxed)) continue;
    k->terms = p;
    k->priority = priority;
    k->set.store(true, std::memory_order_release);
  }
  return true;
}

void ServerProtocols::configure(transport::Stream& accepted, const NetworkPriorityMapper& network,
                                std::optional<RTCORBA::Priority> lane) {
  const int fd = accepted.descriptor();
  int domain = 0;
  socklen_t size = sizeof domain;
  if (fd < 0 || ::getsockopt(fd, SOL_SOCKET, SO_DOMAIN, &domain, &size) != 0) return;
  Known& k = domain == AF_UNIX ? unix_ : tcp_;
  if (!k.set.load(std::memory_order_acquire)) return;
  std::optional<CodePoint> code_point;
  const RTCORBA::Priority priority = lane ? *lane : k.priority.value_or(RTCORBA::minPriority);
  if (k.terms.network_priority) code_point = network.code_point(priority);
  const RefusedProperty refused = set_socket_properties(fd, k.terms, code_point);
  const bool unmapped = k.terms.network_priority && !code_point;
  if ((!refused.name && !unmapped) || k.complained.exchange(true, std::memory_order_relaxed)) return;
  if (refused.name)
    log(LogLevel::Warning, {accepted.peer(), ": the system refuses ", refused.name, " of the ServerProtocolPolicy: ",
                            std::strerror(refused.error), "; said once"});
  else
    log(LogLevel::Warning, {accepted.peer(), ": the network priority mapping has no code point for priority ",
                            Decimal(static_cast<std::uint64_t>(priority)),
                            ", which enable_network_priority of the ServerProtocolPolicy asks for; said once"});
}

void configure_memory(const std::vector<ProtocolTerms>& protocols, const std::list<orb::EndpointAddress>& addresses) {
  for (const ProtocolTerms& p : protocols) {
    if (p.profile != ior::kMemoryProfile || !p.has_properties) continue;
    for (const orb::EndpointAddress& a : addresses)
      if (a.transport == orb::memory_transport())
        (void)transport::set_memory_answer_bytes(a.place, static_cast<std::size_t>(p.receive_buffer));
  }
}

std::list<orb::EndpointAddress> addresses_of(const std::vector<ProtocolTerms>& protocols,
                                             const std::list<orb::EndpointAddress>& all) {
  std::list<orb::EndpointAddress> found;
  for (const ProtocolTerms& p : protocols)
    for (const orb::EndpointAddress& a : all)
      if (profile_of(*a.transport) == p.profile) found.push_back(a);
  return found;
}

}  // namespace callis::rt
