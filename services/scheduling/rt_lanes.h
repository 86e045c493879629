// SPDX-License-Identifier: Apache-2.0
// A schedule's configuration as what Real-time CORBA makes of it: the lanes of a thread pool, and the priorities of
// objects.
//
//   const Configuration plan = read_configuration(text, "nav.json");
//   const RTCORBA::ThreadpoolId pool = make_threadpool(rtorb, plan);
//   ...                                              // a POA with the policies Threadpool and PriorityModel
//   rt_poa->activate_object_with_priority(display, priority_in(plan, "Nav::Display::update"));
#pragma once
#include <callis/rt.h>
#include <callis/rt/schedulers.h>
#include <services/scheduling/configuration.h>
#include <services/scheduling/refused.h>

namespace callis::scheduling {

// From the lowest; without dynamic threads, so that nothing is made while the system runs.
RTCORBA::ThreadpoolLanes lanes_of(const Configuration& configuration);

// A pool of these lanes, without borrowing and without buffering of requests. The caller destroys it with the ORB's
// destroy_threadpool(). stack_bytes: of each thread; 0: the system's. Throws what create_threadpool_with_lanes() does
// (callis/rt.h): DATA_CONVERSION where the ORB's priority mapping has no native priority for a lane.
RTCORBA::ThreadpoolId make_threadpool(RTCORBA::RTORB_ptr rtorb, const Configuration& configuration,
                                      CORBA::ULong stack_bytes = 0);

// For the schedulers of module RTCosScheduling (callis/rt/schedulers.h): the names are those of the operations.
rt::Plan plan_of(const Configuration& configuration);

// Of an operation. Throws Refused, Unknown: the schedule does not have it.
RTCORBA::Priority priority_in(const Configuration& configuration, std::string_view operation);

}  // namespace callis::scheduling
