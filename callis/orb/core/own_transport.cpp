// SPDX-License-Identifier: Apache-2.0
#include <callis/orb/context/orb_context.h>
#include <callis/orb/core/own_transport.h>
#include <callis/orb/server/server.h>

namespace callis::orb {

Result<std::unique_ptr<transport::Stream>> OwnTransport::connect(const EndpointAddress&, Deadline) const {
  return transport::make_memory_stream(orb_.server().make_memory_connection(kText), kText);
}

}  // namespace callis::orb
