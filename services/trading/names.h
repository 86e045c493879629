// SPDX-License-Identifier: Apache-2.0
// Which names a trader takes. They come from peers.
#pragma once
#include <cstddef>
#include <string_view>

namespace callis::trading {

inline constexpr std::size_t kMostNameBytes = 255;

// A letter, then letters, digits and '_': a name that constraints can say. Words of the language are none.
bool is_property_name(std::string_view name);
// An identifier of IDL, a scoped name or a repository id: letters, digits and "_:./-", a letter or "::" first.
bool is_type_name(std::string_view name);
// Whether the name may be a link's: printable ASCII.
bool is_link_name(std::string_view name);
// Of a policy: an identifier, as of a property.
bool is_policy_name(std::string_view name);

}  // namespace callis::trading
