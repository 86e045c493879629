// SPDX-License-Identifier: Apache-2.0
// Profiles: what a program run with CALLIS_PROFILE=file has written (callis/orb/core/profile.h has the format), and
// which operations of it are worth compiling.
//
// The weight of an operation is the bytes of its message bodies and kBytesPerCall for each call, which stand for
// what a call costs however short it is. The heaviest are taken, ties by name, until they have the share asked for
// of the weight of the whole profile.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace callis::idl::driver {

struct ProfiledOperation {
  std::uint64_t calls = 0;
  std::uint64_t bytes = 0;
  std::string name;              // on the wire: "_get_level"
  std::vector<std::string> ids;  // repository ids: the interface called, then its bases, as far as known
};

inline constexpr std::uint64_t kBytesPerCall = 32;

// Adds the operations of a profile's text to `out`, those of the same name and first id together. Returns what is
// wrong, with the line; empty when all is well. The text is not trusted.
std::string read_profile(std::string_view text, std::vector<ProfiledOperation>& out);

// share: percent, 1 to 100.
std::vector<ProfiledOperation> heaviest(std::vector<ProfiledOperation> operations, unsigned share);

}  // namespace callis::idl::driver
