// SPDX-License-Identifier: Apache-2.0
#include <callis/ior/tags.h>
#include <callis/rt/protocols/socket_properties.h>
#include <cerrno>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

namespace callis::rt {

RefusedProperty set_socket_properties(int fd, const ProtocolTerms& terms) {
  RefusedProperty refused;
  const auto set = [&](const char* name, int level, int option, int value) {
    if (refused.name || ::setsockopt(fd, level, option, &value, sizeof value) == 0) return;
    refused = {name, errno};
  };
  if (terms.send_buffer > 0) set("send_buffer_size", SOL_SOCKET, SO_SNDBUF, terms.send_buffer);
  if (terms.receive_buffer > 0) set("recv_buffer_size", SOL_SOCKET, SO_RCVBUF, terms.receive_buffer);
  if (terms.profile != ior::kInternetProfile) return refused;
  set("keep_alive", SOL_SOCKET, SO_KEEPALIVE, terms.keep_alive);
  if (terms.dont_route) set("dont_route", SOL_SOCKET, SO_DONTROUTE, 1);
  set("no_delay", IPPROTO_TCP, TCP_NODELAY, terms.no_delay);
  return refused;
}

}  // namespace callis::rt
