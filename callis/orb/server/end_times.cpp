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

// Reads the told moment, if any. Returns false if it cannot be read.
bool read(ByteView policies, std::uint32_t type, const Limits& limits, std::optional<ior::Moment>& moment,
          Fault& why) {
  const auto value = ior::find_policy_value(policies, type, limits);
  if (value && value->empty()) return true;
  if (value) moment = ior::read_moment(value.value());
  why = value ? Fault::BadEncapsulation : value.fault();
  return moment.has_value();
}

}  // namespace

std::unique_ptr<CORBA::SystemException> refusal_of(const Options& options, ByteView policies) {
  if (options.end_times == EndTimes::Client) return nullptr;
  std::optional<ior::Moment> start, end;
  Fault why = Fault::None;
  if (!read(policies, kRequestEndType, options.limits, end, why) ||
      !read(policies, kRequestStartType, options.limits, start, why))
    return exception_of({why, 0, "INVOCATION_POLICIES"}, Step::DecodeRequest);
  if (!end || (*end > utc_now() && (!start || *start <= *end))) return nullptr;
  return std::make_unique<CORBA::TIMEOUT>(omg(2), CORBA::COMPLETED_NO);
}

bool hold(OrbContext& orb, ByteView policies, bool of_server) {
  const Options& options = orb.options();
  std::optional<ior::Moment> moment;
  Fault ignored = Fault::None;  // they have been read before
  if (options.end_times == EndTimes::Client || !read(policies, kRequestStartType, options.limits, moment, ignored) ||
      !moment || *moment <= utc_now())
    return true;
  const TimePoint start = not_before(*moment);
  const Duration limit = options.limits.call_timeout;
  if ((of_server && options.server_threads == ServerThreads::Single) ||
      (limit.count() > 0 && start > Clock::steady().now() + limit))
    return false;
  const bool room = held.fetch_add(1, std::memory_order_relaxed) < kMostHeld;
  if (room) (void)orb.wait_until(start);
  held.fetch_sub(1, std::memory_order_relaxed);
  return room;
}

}  // namespace callis::orb
