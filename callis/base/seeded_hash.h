// SPDX-License-Identifier: Apache-2.0
// seeded_hash(): a hash of names that peers may choose.
#pragma once
#include <cstdint>
#include <string_view>

namespace callis {

// Depends on a secret that each process draws, so that nobody can choose names that collide. Equal names have equal
// hashes in one process; the hash must not leave the process. All bits are good. Any thread.
std::uint32_t seeded_hash(std::string_view name) noexcept;

}  // namespace callis
