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

bool ServerProtocols::fits(const std::vector<ProtocolTerms>& protocols) {
  return std::ranges::all_of(protocols, [this](const ProtocolTerms& p) {
    const Known* const k = known(p.profile);
    return !k || !p.has_properties || !k->set.load(std::memory_order_acquire) || k->terms == p;
  });
}

bool ServerProtocols::use(const std::vector<ProtocolTerms>& protocols) {
  const std::lock_guard lock(mutex_);
  if (!fits(protocols)) return false;
  for (const ProtocolTerms& p : protocols) {
    Known* const k = known(p.profile);
    if (!k || !p.has_properties || k->set.load(std::memory_order_relaxed)) continue;
    k->terms = p;
    k->set.store(true, std::memory_order_release);
  }
  return true;
}

void ServerProtocols::configure(transport::Stream& accepted) {
  const int fd = accepted.descriptor();
  int domain = 0;
  socklen_t size = sizeof domain;
  if (fd < 0 || ::getsockopt(fd, SOL_SOCKET, SO_DOMAIN, &domain, &size) != 0) return;
  Known& k = domain == AF_UNIX ? unix_ : tcp_;
  if (!k.set.load(std::memory_order_acquire)) return;
  const RefusedProperty refused = set_socket_properties(fd, k.terms);
  if (!refused.name || k.complained.exchange(true, std::memory_order_relaxed)) return;
  log(LogLevel::Warning, {accepted.peer(), ": the system refuses ", refused.name, " of the ServerProtocolPolicy: ",
                          std::strerror(refused.error), "; said once"});
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
