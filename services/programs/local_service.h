// SPDX-License-Identifier: Apache-2.0
// Where services of this machine listen for its users: Unix-domain sockets, over which a service knows who calls
// (services/common/rules.h). A service without an -ORBEndpoint listens there beside its port, and programs that are
// not told where a service is look there first.
//
//   $CALLIS_SOCKETS/NAME       where that is set, and nowhere else
//   /run/callis/NAME           of root
//   $XDG_RUNTIME_DIR/callis/NAME   of other users
//   /run/callis-NAME/socket    of the systemd units (docs/guide/deployment.md): looked at by programs only
#pragma once
#include <cstdint>
#include <string>

namespace callis::programs {

// The socket for a service of that name that this process serves; makes its folder. Empty: there is no place.
std::string own_socket(const std::string& name);

// The reference by which a service of this machine is called. The call goes over the service's socket if this user
// may connect to that. Else, or if nobody answers there, it goes to the port, by TLS if use_site() has been called.
std::string local_service(const std::string& name, std::uint16_t port, const std::string& key);

}  // namespace callis::programs
