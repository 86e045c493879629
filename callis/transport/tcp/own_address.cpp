// SPDX-License-Identifier: Apache-2.0
// Apart from peer.cpp, since programs without the feature settings do without it.
#include <callis/transport/peer.h>
#include <callis/transport/tcp/tcp.h>

CALLIS_PROVIDE(own_address);

namespace callis::transport {

bool is_own_address(const std::string& address) {
  static const std::string own = primary_address();
  return address == own;
}

}  // namespace callis::transport
