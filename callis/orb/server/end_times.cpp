// SPDX-License-Identifier: Apache-2.0
#include <callis/ior/policy_values.h>
#include <callis/orb/base/errors.h>
#include <callis/orb/base/utc.h>
#include <callis/orb/context/orb_context.h>
#include <callis/orb/server/end_times.h>
#include <atomic>
#include <optional>

CALLIS_PROVIDE(end_times);

namespace callis::orb {
namespace {

constexpr int kMostHeld = 64;
std::atomic<int> held{0};  // requests, of all ORBs

// Of the moment told, if one is. False: what is told cannot be read.
bool read(ByteView policies, std::uint32_t type, const Limits& limits, std::optional<ior::Moment>& moment,
          Fault& why) {
  const auto value = ior::find_policy_value(policies, type, limits);
  if (value && value->empty()) return true;
  if (value) moment = ior::read_moment(value.value());
  why = value ? Fault::BadEncapsulation : value.fault();
  return moment.has_value();
}

}  // namespace

RequestTimes times_of(const Options& options, ByteView policies) {
  if (options.end_times == EndTimes::Client) return {};
  std::optional<ior::Moment> start, end;
  Fault why = Fault::None;
  if (!read(policies, kRequestEndType, options.limits, end, why) ||
      !read(policies, kRequestStartType, options.limits, start, why))
    return {exception_of({why, 0, "INVOCATION_POLICIES"}, Step::DecodeRequest)};
  const ior::Moment now = utc_now();
  if (end && (*end <= now || (start && *start > *end)))
    return {std::make_unique<CORBA::TIMEOUT>(omg(2), CORBA::COMPLETED_NO)};
  if (!start || *start <= now) return {};
  return {nullptr, not_before(*start)};
}

bool hold(OrbContext& orb, TimePoint start, bool may_wait) {
  const Duration limit = orb.limits().call_timeout;
  if (!may_wait || (limit.count() > 0 && start > Clock::steady().now() + limit)) return false;
  const bool room = held.fetch_add(1, std::memory_order_relaxed) < kMostHeld;
  if (room) (void)orb.wait_until(start);
  held.fetch_sub(1, std::memory_order_relaxed);
  return room;
}

}  // namespace callis::orb
