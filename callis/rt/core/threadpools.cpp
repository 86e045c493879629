// SPDX-License-Identifier: Apache-2.0
#include <callis/orb/base/errors.h>
#include <callis/orb/core/core.h>
#include <callis/rt/core/real_time_orb.h>

namespace callis::rt {
namespace {

constinit std::atomic<Threadpools::Maker> pool_maker{nullptr};

}  // namespace

void Threadpools::set_maker(Maker maker) { pool_maker.store(maker, std::memory_order_release); }
Threadpools::Maker Threadpools::maker() { return pool_maker.load(std::memory_order_acquire); }

Threadpools& Threadpools::of(orb::Core& core) { return RealTimeOrb::of(core)->threadpools(); }

}  // namespace callis::rt
