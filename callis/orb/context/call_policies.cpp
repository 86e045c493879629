// SPDX-License-Identifier: Apache-2.0
#include <callis/orb/context/call_policies.h>

namespace callis::orb {

void CallPolicies::complete(const CallPolicies& outer) {
  for (std::size_t i = 0; i < kCount; ++i) {
    const auto p = static_cast<CallPolicy>(i);
    if (outer.has(p) && !has(p)) set(p, outer[p]);
  }
}

void SharedCallPolicies::write(const CallPolicies& p) {
  const std::uint32_t version = version_.load(std::memory_order_relaxed);
  version_.store(version + 1, std::memory_order_relaxed);
  // A reader that sees one of these values sees the odd version, too.
  given_.store(p.given, std::memory_order_release);
  for (std::size_t i = 0; i < CallPolicies::kCount; ++i)
    numbers_[i].store(p.has(static_cast<CallPolicy>(i)) ? p.numbers[i] : 0, std::memory_order_release);
  version_.store(version + 2, std::memory_order_release);
}

CallPolicies SharedCallPolicies::read() const {
  for (;;) {
    CallPolicies p;
    const std::uint32_t before = version_.load(std::memory_order_acquire);
    p.given = given_.load(std::memory_order_acquire);
    for (std::size_t i = 0; i < CallPolicies::kCount; ++i) p.numbers[i] = numbers_[i].load(std::memory_order_acquire);
    if (before % 2 == 0 && version_.load(std::memory_order_relaxed) == before) return p;
  }
}

}  // namespace callis::orb
