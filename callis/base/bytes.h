// SPDX-License-Identifier: Apache-2.0
// Bytes and views of bytes. A view owns nothing.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>

namespace callis {

using Byte = std::uint8_t;
using ByteView = std::span<const Byte>;
using MutableBytes = std::span<Byte>;

// offset rounded up to a multiple of alignment (a power of two)
constexpr std::size_t align_up(std::size_t offset, std::size_t alignment) {
  return (offset + alignment - 1) & ~(alignment - 1);
}

}  // namespace callis
