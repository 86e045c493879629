// SPDX-License-Identifier: Apache-2.0
// What an ORB can be told on the command line.
//
//   -ORBid NAME               the ORB's id; ORB_init's own argument comes first
//   -ORBEndpoint tcp:HOST:PORT, tcp:, memory:NAME
//                             where to listen; may be given several times. Default "tcp:" (all interfaces,
//                             any port)
//   -ORBPublish HOST[:PORT]   the address that references carry for the TCP endpoint given last, apart from
//                             the one bound (containers, address translation)
//   -ORBGIOPVersion 1.0|1.1|1.2   highest version spoken, and the version of references made here
//   -ORBConnectTimeout MS     for opening a connection; 0: none
//   -ORBCallTimeout MS        for a whole call; 0: none
//   -ORBMaxMessageSize BYTES  largest message taken in
//   -ORBFragmentSize BYTES    GIOP 1.2 messages above it are sent in fragments; 0: never
//   -ORBSyncScope none|transport|server|target   what a oneway call waits for: nothing, its request being held
//                             back to be sent with others; the request being handed to the transport; the server
//                             having it; the servant having run
//   -ORBClientConnections exclusive|shared   whether each call has a connection for itself
//   -ORBMaxConnectionsPerServer N   connections that calls to one address use, the last of them shared; 0: no limit, or
//                             one where all are shared
//   -ORBSpin MICROSECONDS     how long a thread may look for a message before it waits for one; 0: never
//   -ORBInitRef ID=URI        what resolve_initial_references(ID) returns
#pragma once
#include <callis/base/clock.h>
#include <callis/base/limits.h>
#include <callis/base/result.h>
#include <callis/ior/version.h>
#include <string>
#include <utility>
#include <vector>

namespace callis::orb {

struct EndpointOption {
  enum class Kind { Tcp, Memory };
  Kind kind = Kind::Tcp;
  std::string host;  // Tcp: empty for all interfaces. Memory: the endpoint's name
  std::uint16_t port = 0;
  std::string publish_host;  // empty: the bound address, or the machine's primary one for a wildcard
  std::uint16_t publish_port = 0;  // 0: the bound port
};

// Messaging::SyncScope, in its order. On GIOP 1.0 and 1.1 Server and Target are as Transport.
enum class SyncScope : std::uint8_t { None, Transport, Server, Target };

struct Options {
  std::string orb_id;
  std::vector<EndpointOption> endpoints;  // empty: one Tcp with its defaults
  ior::Version version{1, 2};
  Limits limits;
  std::size_t fragment_bytes = 0;
  SyncScope sync_scope = SyncScope::Transport;
  bool share_connections = false;
  std::uint32_t max_connections_per_server = 0;
  std::chrono::microseconds spin{100};
  std::vector<std::pair<std::string, std::string>> initial_references;
};

// Reads the options in argv and removes them, adjusting argc and keeping the order of the rest. Anything that
// starts with -ORB and is not in the list above, or has a bad value, is an error with text for the user
// (Fault::BadText); argc and argv are untouched then. argv may be nullptr when argc is 0.
Result<Options> parse_options(int& argc, char** argv);

// "host:port", "host", "[::1]:port", "[::1]"; an empty host is allowed, a missing port leaves port alone.
// False when it is none of these.
bool parse_host_port(std::string_view text, std::string& host, std::uint16_t& port);

}  // namespace callis::orb
