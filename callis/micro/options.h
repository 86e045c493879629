// SPDX-License-Identifier: Apache-2.0
// The options of an ORB of the micro profile. They come from the command line alone. Their names and values are those
// of the other ORB (orb/options/option_list.h). So are the defaults, unless the table below says otherwise.
#pragma once
#include <callis/base/limits.h>
#include <callis/ior/iiop_profile.h>
#include <callis/orb/base/object.h>
#include <memory>
#include <string>

namespace callis::micro {

// | option                  | value                    | default                                      |
// |-------------------------|--------------------------|----------------------------------------------|
// | -ORBid                  | a name                   | ""                                           |
// | -ORBEndpoint            | tcp:HOST:PORT            | tcp: all interfaces, IPv4, any free port     |
// | -ORBPublish             | HOST or HOST:PORT        | the address of the endpoint                  |
// | -ORBInitRef             | NAME=REFERENCE           |                                              |
// | -ORBCallTimeout         | milliseconds, 0: none    | 30000                                        |
// | -ORBConnectTimeout      | milliseconds, 0: none    | 5000                                         |
// | -ORBIdleTimeout         | milliseconds             | 120000                                       |
// | -ORBMessageTimeout      | milliseconds             | 10000                                        |
// | -ORBSendTimeout         | milliseconds             | 30000                                        |
// | -ORBMaxMessageSize      | bytes                    | 1048576 (the other ORB: 16 MiB)              |
// | -ORBMaxConnections      | 1 to 96                  | 64 (the other ORB: 8192)                     |
// | -ORBMaxConnectionsPerPeer | 1 to 96                | 32 (the other ORB: 256)                      |
// | -ORBMaxForwards         | a number                 | 10                                           |
// An initial reference, of an option or registered. The newest stands first.
struct Initial {
  std::string name;
  std::string text;          // of an option
  CORBA::Object_var object;  // registered
  std::unique_ptr<Initial> next;
};

struct Options {
  std::string id;
  ior::Address endpoint;   // host "": all interfaces; port 0: any
  ior::Address publish;    // host "": the endpoint's; port 0: the endpoint's
  std::unique_ptr<Initial> initial_references;
  Limits limits;

  Options();
};

// Reads the options in argv and removes them. Throws BAD_PARAM, kBadOption, for an -ORB option that is not in the
// table, and for a bad value; the text names both, and argc and argv are untouched then.
Options take_options(int& argc, char** argv);

}  // namespace callis::micro
