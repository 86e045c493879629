// SPDX-License-Identifier: Apache-2.0
// Copies an array of primitives and reverses the bytes of each: what a receiver of the other byte order
// does to a sequence<long>. Vectors of 16 to 64 bytes where the processor has them, chosen at start-up.
#pragma once
#include <callis/base/bytes.h>

namespace callis {

// n elements of size 2, 4 or 8 bytes. The ranges do not overlap, or are the same.
void copy_swapped(void* to, const void* from, std::size_t n, std::size_t size) noexcept;

// memcpy() for arrays: of some KB it is faster when to is not aligned, which it rarely is in a message. The ranges do
// not overlap.
void copy_array(void* to, const void* from, std::size_t bytes) noexcept;

}  // namespace callis
