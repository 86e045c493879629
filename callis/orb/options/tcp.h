// SPDX-License-Identifier: Apache-2.0
// Addresses of TCP, from text and as the standard has them.
#pragma once
#include <callis/orb/options/transport.h>

namespace callis::orb {

// Reads "host:port", "host", "[::1]:port" or "[::1]". An empty host is allowed; a missing port leaves port alone.
// Returns false for other texts.
bool parse_host_port(std::string_view text, std::string& host, std::uint16_t& port);
// The same for an endpoint to serve at: empty for the defaults, and "*" for all interfaces.
bool parse_tcp(std::string_view text, EndpointAddress& to);
bool is_any_host(std::string_view host);

// The TCP addresses among all.
std::vector<ior::Address> tcp_addresses(const std::list<EndpointAddress>& all);

}  // namespace callis::orb
