// SPDX-License-Identifier: Apache-2.0
// From how far away a network's address can be reached (Reach), by the address alone; and networks.
#pragma once
#include <callis/transport/peer.h>
#include <string>
#include <string_view>

namespace callis::transport {

// host: an address in figures. Names count as Anywhere: who has connected to one looks at the stream's peer. IPv4
// inside IPv6 is IPv4.
//
// Machine: 127.0.0.0/8 but 127.0.1.1, which Debian gives a machine's own name; 0.0.0.0/8, ::/96. Link:
// 169.254.0.0/16, fe80::/10.
Reach reach_of(const std::string& host);

// Whether host, an address in figures, is in the network "10.0.0.0/8", "2001:db8::/32", or is the address that stands
// there without a length. False for anything else.
bool in_network(const std::string& host, std::string_view network);
// Whether text is a network or an address.
bool is_network(std::string_view text);

}  // namespace callis::transport
