// SPDX-License-Identifier: Apache-2.0
// ORB::run() and work_pending() for a limited time: apart from the rest, since most programs do without.
#include <callis/orb/base/errors.h>
#include <callis/orb/context/upcall.h>
#include <callis/orb/core/core.h>
#include <callis/orb/server/main_thread.h>
#include <callis/orb/server/pool.h>
#include <algorithm>

namespace CORBA::inline callis_orb {

namespace {

using callis::orb::Core;
using callis::orb::MainThread;
using callis::orb::Pool;
using Clock = std::chrono::steady_clock;

Clock::time_point in(ULongLong microseconds) {
  constexpr ULongLong kMost = 1'000'000ULL * 60 * 60 * 24 * 365;
  return Clock::now() + std::chrono::microseconds(std::min(microseconds, kMost));
}

int milliseconds_until(Clock::time_point when) {
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(when - Clock::now()).count();
  return static_cast<int>(std::clamp<long long>(left, 0, 60'000));
}

}  // namespace

void ORB::run_for(ULongLong microseconds) {
  const Clock::time_point end = in(microseconds);
  Core& core = static_cast<Core&>(*this);
  // As run(): while stopping it goes on.
  if (core.phase_.load(std::memory_order_acquire) != Core::Phase::Stopping) core.check_may_serve();
  if (callis::orb::Upcall::inside(core))
    callis::orb::raise<BAD_INV_ORDER>(callis::orb::omg(3), COMPLETED_NO,
                                      "run() inside an upcall would wait for itself");
  MainThread& main = core.main_thread();
  {
    const MainThread::Inside inside(main);
    Pool* const pool = core.served_by_us();
    while (!main.stopped() && Clock::now() < end) {
      if (main.run_one()) continue;
      if (pool) pool->serve_once(milliseconds_until(end));
      else main.wait_for_task(end);
    }
  }
  if (main.stopped()) core.finish_shutdown();
}

// Looks at the pool's connections again and again, since only who serves them can wait for them.
Boolean ORB::work_pending_for(ULongLong microseconds) {
  const Clock::time_point end = in(microseconds);
  Core& core = static_cast<Core&>(*this);
  MainThread& main = core.main_thread();
  while (!work_pending()) {
    if (const auto now = Clock::now(); now >= end || main.stopped()) return false;
    else main.wait_for_task(core.served_by_us() ? std::min(end, now + std::chrono::milliseconds(1)) : end);
  }
  return true;
}

}  // namespace CORBA::inline callis_orb
