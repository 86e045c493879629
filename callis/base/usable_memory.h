// SPDX-License-Identifier: Apache-2.0
// How much memory this process may use: the machine's, or less where a control group says so.
#pragma once
#include <callis/base/feature.h>
#include <cstddef>
#include <string_view>

// Part of the feature settings.
CALLIS_FEATURE(control_groups);

namespace callis {

// In bytes. Control groups count only in programs with the feature settings.
std::size_t usable_memory() noexcept;

// The same with the file systems mounted under root ("" for the real ones) and so much in the machine. Reads
// /proc/self/cgroup, and the limits of the group and of those above it, version 2 (memory.max) and 1
// (memory.limit_in_bytes). What cannot be read does not bound.
CALLIS_OPTIONAL std::size_t usable_memory(std::string_view root, std::size_t machine) noexcept;

}  // namespace callis
