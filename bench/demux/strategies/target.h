// SPDX-License-Identifier: Apache-2.0
// What demultiplexing leads to: a servant, a method or an adapter of the measurements.
#pragma once
#include <cstddef>
#include <cstdint>

namespace bench::demux {

// On a cache line of its own, as objects of an application are.
struct alignas(64) Target {
  std::uint64_t id = 0;     // which one it is
  std::size_t zero = 0;     // always: added to where the next lookup reads, so that it waits for this one's result
  std::uint64_t calls = 0;  // made to it
};

}  // namespace bench::demux
