// SPDX-License-Identifier: Apache-2.0
// Serves a mission computer: a thread for each lane that `callis schedule` has planned, and requests that run at the
// priority of the thread that calls.
#include <callis/corba.h>
#include <callis/portable_server.h>
#include <callis/rt.h>
#include <callis/signals.h>
#include <time.h>
#include <atomic>
#include <iostream>
#include "avionics_skel.h"
#include "plan.h"

// Takes so much of the processor's time.
static void compute(long microseconds) {
  auto now = [] {
    timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return t.tv_sec * 1'000'000L + t.tv_nsec / 1'000;
  };
  for (long end = now() + microseconds; now() < end;) {}
}

class MissionComputer : public POA_Avionics::MissionComputer {
  void attitude(CORBA::Double, CORBA::Double) override { compute(1'000); }
  void air_data(CORBA::Double, CORBA::Double) override { compute(1'500); }
  void gps(CORBA::Double, CORBA::Double) override { compute(2'500); }
  void fuel(CORBA::Double) override { compute(5'000); }
  void log(const char*) override { ++lines_; }
  std::atomic<long> lines_{0};
};

// An adapter whose threads are those of the plan.
static PortableServer::POA_ptr make_adapter(CORBA::ORB_ptr orb, PortableServer::POA_ptr root) {
  CORBA::Object_var object = orb->resolve_initial_references("RTORB");
  RTCORBA::RTORB_var rtorb = RTCORBA::RTORB::_narrow(object);
  RTCORBA::ThreadpoolLanes lanes;
  for (const plan::Lane& planned : plan::kLanes) {
    lanes.length(lanes.length() + 1);
    RTCORBA::ThreadpoolLane& lane = lanes[lanes.length() - 1];
    lane.lane_priority = planned.lane_priority;
    lane.static_threads = static_cast<CORBA::ULong>(planned.static_threads);
    lane.dynamic_threads = 0;
  }
  bool borrowing = false, buffering = true;
  RTCORBA::ThreadpoolId pool = rtorb->create_threadpool_with_lanes(0, lanes, borrowing, buffering, 0, 0);
  CORBA::PolicyList policies(2);
  policies.length(2);
  policies[0] = rtorb->create_priority_model_policy(RTCORBA::CLIENT_PROPAGATED, plan::kLanes[0].lane_priority);
  policies[1] = rtorb->create_threadpool_policy(pool);
  PortableServer::POAManager_var manager = root->the_POAManager();
  return root->create_POA("mission", manager, policies);
}

int main(int argc, char** argv) {
  try {
    CORBA::ORB_var orb = CORBA::ORB_init(argc, argv);
    callis::shutdown_on_signals(orb);
    CORBA::Object_var object = orb->resolve_initial_references("RootPOA");
    PortableServer::POA_var root = PortableServer::POA::_narrow(object);
    PortableServer::POA_var adapter = make_adapter(orb, root);

    PortableServer::ServantBase_var computer = new MissionComputer;
    PortableServer::ObjectId_var id = adapter->activate_object(computer);
    object = adapter->id_to_reference(id);
    PortableServer::POAManager_var manager = root->the_POAManager();
    manager->activate();
    CORBA::String_var reference = orb->object_to_string(object);
    std::cout << reference.in() << std::endl;
    orb->run();
    orb->destroy();
  } catch (const CORBA::Exception& e) {
    std::cerr << "avionics_server: " << e.what() << '\n';
    return 1;
  }
}
