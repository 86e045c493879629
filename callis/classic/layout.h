// SPDX-License-Identifier: Apache-2.0
// Natural layout, as the marshaling engine computes it from descriptors: generated code checks with it that
// the compiler lays its structs out the same way.
#pragma once
#include <cstddef>

namespace callis::classic {

// Size of a struct with members of these types.
template <class... Members>
inline constexpr std::size_t kNaturalSize = [] {
  std::size_t end = 0, alignment = 1;
  [[maybe_unused]] const auto add = [&](std::size_t size, std::size_t align) {
    end = (end + align - 1) / align * align + size;
    if (align > alignment) alignment = align;
  };
  (add(sizeof(Members), alignof(Members)), ...);
  const std::size_t size = (end + alignment - 1) / alignment * alignment;
  return size ? size : 1;
}();

}  // namespace callis::classic
