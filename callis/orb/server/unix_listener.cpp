// SPDX-License-Identifier: Apache-2.0
// Serving at Unix-domain sockets.
#include <callis/orb/server/server.h>
#include <callis/orb/context/orb_context.h>

CALLIS_PROVIDE(unix_listener);

namespace callis::orb {

Result<void> Server::open_unix(const EndpointOption& e) {
  auto listener = transport::listen_unix(e.host, orb_.options().unix_permissions);
  if (!listener) return listener.error();
  listener.value()->set_farewell(farewell());
  unix_paths_.push_back(e.host);
  listeners_.push_back(std::move(listener).value());
  return {};
}

}  // namespace callis::orb
