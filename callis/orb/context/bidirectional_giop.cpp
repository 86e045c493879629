// SPDX-License-Identifier: Apache-2.0
#include <callis/orb/context/bidirectional_giop.h>
#include <atomic>

namespace callis::orb {
namespace {

constinit std::atomic<BidirectionalGiop::Maker> made_by{nullptr};
constinit std::atomic<bool> is_wanted{false};

}  // namespace

void BidirectionalGiop::set_maker(Maker maker) { made_by.store(maker, std::memory_order_release); }
BidirectionalGiop::Maker BidirectionalGiop::maker() { return made_by.load(std::memory_order_acquire); }
void BidirectionalGiop::want() { is_wanted.store(true, std::memory_order_release); }
bool BidirectionalGiop::wanted() { return is_wanted.load(std::memory_order_acquire); }

}  // namespace callis::orb
