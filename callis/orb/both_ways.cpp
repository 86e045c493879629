// SPDX-License-Identifier: Apache-2.0
#include <callis/orb/both_ways.h>
#include <atomic>

namespace callis::orb {
namespace {

constinit std::atomic<BothWays::Maker> made_by{nullptr};
constinit std::atomic<bool> is_wanted{false};

}  // namespace

void BothWays::set_maker(Maker maker) { made_by.store(maker, std::memory_order_release); }
BothWays::Maker BothWays::maker() { return made_by.load(std::memory_order_acquire); }
void BothWays::want() { is_wanted.store(true, std::memory_order_release); }
bool BothWays::wanted() { return is_wanted.load(std::memory_order_acquire); }

}  // namespace callis::orb
