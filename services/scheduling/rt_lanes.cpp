// SPDX-License-Identifier: Apache-2.0
#include <services/scheduling/model.h>
#include <services/scheduling/rt_lanes.h>

namespace callis::scheduling {

RTCORBA::ThreadpoolLanes lanes_of(const Configuration& configuration) {
  RTCORBA::ThreadpoolLanes out;
  out.length(static_cast<CORBA::ULong>(configuration.lanes.size()));
  for (CORBA::ULong i = 0; i < out.length(); ++i) {
    const auto& lane = configuration.lanes[i];
    out[i] = {static_cast<RTCORBA::Priority>(lane.priority), lane.static_threads, 0};
  }
  return out;
}

RTCORBA::ThreadpoolId make_threadpool(RTCORBA::RTORB_ptr rtorb, const Configuration& configuration,
                                      CORBA::ULong stack_bytes) {
  return rtorb->create_threadpool_with_lanes(stack_bytes, lanes_of(configuration), false, false, 0, 0);
}

rt::Plan plan_of(const Configuration& configuration) {
  rt::Plan plan{lanes_of(configuration), {}};
  for (const auto& operation : configuration.operations)
    plan.priorities.emplace(operation.name, static_cast<RTCORBA::Priority>(operation.priority));
  return plan;
}

RTCORBA::Priority priority_in(const Configuration& configuration, std::string_view operation) {
  const auto* const found = configuration.find(operation);
  if (found == nullptr)
    throw Refused(Refused::Kind::Unknown,
                  "the schedule has no operation " + quoted(operation) + ": schedule it, too");
  return static_cast<RTCORBA::Priority>(found->priority);
}

}  // namespace callis::scheduling
