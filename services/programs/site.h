// SPDX-License-Identifier: Apache-2.0
// --tls DIR: the folder that `callis tls init` makes, as the identity of a program. All ORBs of the process have it
// then, also those of its log and of its links to other services.
//
//   DIR/ca.pem                        who is trusted
//   DIR/server.pem, DIR/server.key    of a service; --tls DIR/NAME takes those of NAME
//   DIR/client.pem, DIR/client.key    of a client; without them those of the server
//   DIR/crl.pem                       who is trusted no more, if it is there
//
// A program that is built without the component tls knows the option, and says how to get TLS.
#pragma once
#include <stdexcept>
#include <string>
#include <vector>

namespace callis::programs {

enum class SiteRole { Server, Client };

struct SiteFailed : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Called before the first ORB is made. A client's calls go by TLS alone; a server's go by TLS where it is offered,
// and SIGHUP makes it read the files again.
// Throws SiteFailed, with words.
void use_site(const std::string& where, SiteRole role);

// Whether use_site() has been called.
bool in_site() noexcept;

// Whether the word is an option with a value that init_orb() takes: -ORBoption VALUE, or --tls DIR.
bool is_orb_option(const std::string& word);

// Whether an endpoint is named among -ORBoption VALUE ...
bool has_endpoint(const std::vector<std::string>& orb_options);

}  // namespace callis::programs
