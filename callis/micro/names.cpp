// SPDX-License-Identifier: Apache-2.0
// Names of hosts in endpoints and references: feature micro_names.
#include <callis/micro/socket.h>
#include <netdb.h>
#include <cstring>

CALLIS_PROVIDE(micro_names);

namespace callis::micro {

bool resolve(const ior::Address& address, SocketAddress& to) {
  addrinfo wanted{};
  wanted.ai_family = AF_UNSPEC;
  wanted.ai_socktype = SOCK_STREAM;
  addrinfo* found = nullptr;
  if (::getaddrinfo(address.host.c_str(), nullptr, &wanted, &found) != 0 || !found) return false;
  char figures[NI_MAXHOST];
  const bool good = ::getnameinfo(found->ai_addr, found->ai_addrlen, figures, sizeof figures, nullptr, 0,
                                  NI_NUMERICHOST) == 0;
  ::freeaddrinfo(found);
  // An address in figures, whatever its family: set() does not come here again for it.
  return good && std::strcmp(figures, address.host.c_str()) != 0 && to.set({figures, address.port});
}

}  // namespace callis::micro
