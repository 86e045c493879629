// SPDX-License-Identifier: Apache-2.0
#include <callis/base/usable_memory.h>
#include <cstdint>
#include <unistd.h>

namespace callis {

std::size_t usable_memory() noexcept {
  const auto pages = ::sysconf(_SC_PHYS_PAGES), bytes = ::sysconf(_SC_PAGESIZE);
  // A machine may have more than a std::size_t can say.
  const std::uint64_t product = static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(bytes);
  const std::size_t machine = pages > 0 && product < SIZE_MAX ? static_cast<std::size_t>(product) : SIZE_MAX;
  return CALLIS_HAS(control_groups) ? usable_memory({}, machine) : machine;
}

}  // namespace callis
