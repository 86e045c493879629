// SPDX-License-Identifier: Apache-2.0
// What happens when somebody goes to one address of a reference: connecting, then GIOP's LocateRequest for the object
// (CORBA 3.3 part 2, 9.4.5).
#pragma once
#include <callis/base/clock.h>
#include <callis/giop/giop.h>
#include <optional>
#include <string>

namespace callis::tools {

// An address: a host with a port, or the path of a Unix-domain socket.
struct Place {
  std::string host;
  std::uint16_t port = 0;
  std::string path;
  bool tls = false;  // the port is of TLS
};

struct PingResult {
  bool connected = false;
  bool here = false;  // the object is there, or the server knows where
  std::string words;  // one line: what was done, how it ended, and how long it took
};

// Waits for at most limit for the connection, and as long again for the answer. version: the profile's. TLS is spoken
// by the certificates of --tls (services/programs/site.h).
PingResult ping(const Place& place, giop::Version version, ByteView object_key, Duration limit);

}  // namespace callis::tools
