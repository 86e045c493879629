// SPDX-License-Identifier: Apache-2.0
#include <callis/base/text.h>
#include <callis/rt/protocols/configured_transport.h>
#include <callis/rt/protocols/socket_properties.h>
#include <callis/transport/memory/memory.h>
#include <algorithm>

namespace callis::rt {

Result<std::unique_ptr<transport::Stream>> ConfiguredTransport::connect(const orb::EndpointAddress& to,
                                                                        Deadline deadline) const {
  if (of_.is_inside())
    return transport::connect_memory(to.place, static_cast<std::size_t>(std::max(terms_.receive_buffer, 0)));
  auto stream = of_.connect(to, deadline);
  const int fd = stream ? stream.value()->descriptor() : -1;
  if (fd < 0) return stream;
  const RefusedProperty refused = set_socket_properties(fd, terms_, code_point_);
  if (!refused.name) return stream;
  return Error{Fault::TransportFailed, refused.error,
               concat({"property ", refused.name, " of a protocol, for ", text(to)})};
}

}  // namespace callis::rt
