// SPDX-License-Identifier: Apache-2.0
// The object keys of references that lead through a repository. They say which server has the object, and contain the
// key that the server itself knows it by:
//
//   {ca 11 15 'R'} {bytes of the name: 1} {name of the server} {object key in the server}
//
// The repository answers with LOCATION_FORWARD to the server's address and the inner key. So the server's adapters
// see nothing of it. No key of an adapter begins so (callis/poa/object/key.h).
#pragma once
#include <callis/base/bytes.h>
#include <optional>
#include <string_view>
#include <vector>

namespace callis::imr {

inline constexpr std::size_t kMostNameBytes = 100;

// Letters, digits, '.', '-' and '_', but not '.' or '-' first.
bool is_server_name(std::string_view name);

struct LeadingKey {
  std::string_view server;  // a good name
  ByteView object_key;
};

// key: from the peer. Views into it; nothing where it is no such key. Allocates nothing.
std::optional<LeadingKey> parse_key(ByteView key);
// server: a good name.
std::vector<Byte> make_key(std::string_view server, ByteView object_key);

}  // namespace callis::imr
