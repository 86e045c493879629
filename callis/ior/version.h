// SPDX-License-Identifier: Apache-2.0
// The version of GIOP and IIOP: one pair of octets, in message headers and in IIOP profiles.
#pragma once
#include <compare>
#include <cstdint>

namespace callis::ior {

struct Version {
  std::uint8_t major = 1;
  std::uint8_t minor = 2;
  friend constexpr auto operator<=>(const Version&, const Version&) = default;
};

}  // namespace callis::ior
