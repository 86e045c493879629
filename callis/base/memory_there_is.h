// SPDX-License-Identifier: Apache-2.0
// How much memory this process may use: the machine's, or less where a control group says so.
#pragma once
#include <cstddef>
#include <string_view>

namespace callis {

// In bytes. Reads /proc/self/cgroup, and the limits of the group and of those above it, version 2 (memory.max) and 1
// (memory.limit_in_bytes). What cannot be read does not bound.
std::size_t memory_there_is() noexcept;

// For tests: the same with the file systems mounted under root ("" for the real ones) and so much in the machine.
std::size_t memory_there_is(std::string_view root, std::size_t machine) noexcept;

}  // namespace callis
