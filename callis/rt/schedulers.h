// SPDX-License-Identifier: Apache-2.0
// The two schedulers of module RTCosScheduling (Real-time CORBA 1.2, "Real-time CORBA Scheduling Service"). They set
// priorities by the names that a plan gives to activities and objects, so that no number stands in the program.
//
//   callis::rt::Plan plan;                                  // as `callis schedule` has worked it out
//   plan.lanes = ...; plan.priorities["Nav::Display::update"] = 89;
//
//   activities = make_client_scheduler(orb, plan);                       // in the client
//   activities->schedule_activity("Nav::Display::update");
//
//   objects = make_server_scheduler(orb, plan);                          // in the server
//   poa = objects->create_POA(root, "nav", manager, policies);
//   objects->schedule_object(display, "Nav::Display::update");
//
// services/scheduling/rt_lanes.h makes a plan of a schedule's file.
#pragma once
#include <callis/rt.h>
#include <map>
#include <string>

#include <callis/idl/RTCosScheduling.h>

namespace callis::rt {

struct Plan {
  RTCORBA::ThreadpoolLanes lanes;  // in any order; of servers
  std::map<std::string, RTCORBA::Priority, std::less<>> priorities;  // of activities and objects, by name
};

// Both: any thread. The caller owns the result, which keeps the ORB. BAD_INV_ORDER, OMG minor 4: the ORB has been
// shut down.

// schedule_activity() sets RTCORBA::Current::the_priority() of the calling thread, and raises what that does;
// UnknownName: the plan has no such name. The thread keeps its priority then.
RTCosScheduling::ClientScheduler_ptr make_client_scheduler(CORBA::ORB_ptr orb, Plan plan);

// create_POA() makes an adapter whose requests run in the lanes of the plan. They are one thread pool of the
// scheduler's, without borrowing and without buffering, which is made with the first adapter and ends with the ORB.
// Without a PriorityModelPolicy among `policies` the adapter has SERVER_DECLARED, with the lowest lane's priority.
// InvalidPolicy names a ThreadpoolPolicy among them: the plan's lanes are the adapter's. Raises what
// RTORB::create_threadpool_with_lanes() and POA::create_POA() do.
//
// schedule_object() gives the object the priority of that name, until the end of its adapter. References that were
// made before lead to the lowest lane first, which sends the client on. It raises UnknownName; BAD_PARAM if the
// scheduler has not made the object's adapter, or if no lane has the priority. If the adapter has CLIENT_PROPAGATED,
// objects run at their clients' priorities, and only the name is looked at.
RTCosScheduling::ServerScheduler_ptr make_server_scheduler(CORBA::ORB_ptr orb, Plan plan);

}  // namespace callis::rt
