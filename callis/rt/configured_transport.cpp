// SPDX-License-Identifier: Apache-2.0
#include <callis/base/text.h>
#include <callis/rt/configured_transport.h>
#include <cerrno>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

namespace callis::rt {

Result<std::unique_ptr<transport::Stream>> ConfiguredTransport::connect(const orb::EndpointAddress& to,
                                                                        Deadline deadline) const {
  auto stream = of_.connect(to, deadline);
  const int fd = stream ? stream.value()->descriptor() : -1;
  if (fd < 0) return stream;
  const char* refused = nullptr;
  int error = 0;
  const auto set = [&](const char* name, int level, int option, int value) {
    if (refused || ::setsockopt(fd, level, option, &value, sizeof value) == 0) return;
    refused = name;
    error = errno;
  };
  if (terms_.send_buffer > 0) set("send_buffer_size", SOL_SOCKET, SO_SNDBUF, terms_.send_buffer);
  if (terms_.receive_buffer > 0) set("recv_buffer_size", SOL_SOCKET, SO_RCVBUF, terms_.receive_buffer);
  if (of_.has_hosts()) {
    set("keep_alive", SOL_SOCKET, SO_KEEPALIVE, terms_.keep_alive);
    if (terms_.dont_route) set("dont_route", SOL_SOCKET, SO_DONTROUTE, 1);
    set("no_delay", IPPROTO_TCP, TCP_NODELAY, terms_.no_delay);
  }
  if (!refused) return stream;
  return Error{Fault::TransportFailed, error, concat({"property ", refused, " of a protocol, for ", text(to)})};
}

}  // namespace callis::rt
