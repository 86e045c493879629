// SPDX-License-Identifier: Apache-2.0
// A thread pool with two lanes. The victim is executed in the upper lane, `low` in the lower one, at priorities that
// the server declares; `propagated` in that of the priority that a request says. `buffered` has a lane of another
// pool.
#include <callis/rt.h>
#include "adapters.h"
#include "victim.h"

namespace attack {

namespace {

constexpr RTCORBA::Priority kLow = 10, kHigh = 60;
constexpr CORBA::ULong kLowThreads = 2, kHighThreads = 4, kMostRequests = 256, kMostBytes = 4 << 20;

class LaneAdapters {
 public:
  LaneAdapters(CORBA::ORB_ptr orb, PortableServer::POA_ptr root) : root_(PortableServer::POA::_duplicate(root)) {
    const CORBA::Object_var object = orb->resolve_initial_references("RTORB");
    rt_ = RTCORBA::RTORB::_narrow(object.in());
    RTCORBA::ThreadpoolLanes one, lanes;
    one.length(1);
    one[0].lane_priority = kLow;
    one[0].static_threads = kLowThreads;
    small_ = rt_->create_threadpool_with_lanes(0, one, false, true, kMostRequests, kMostBytes);
    lanes.length(2);
    lanes[0].lane_priority = kLow;
    lanes[0].static_threads = kLowThreads;
    lanes[1].lane_priority = kHigh;
    lanes[1].static_threads = kHighThreads;
    pool_ = rt_->create_threadpool_with_lanes(0, lanes, false, true, 0, 0);
    declared_ = make("declared", RTCORBA::SERVER_DECLARED, pool_);
    propagated_ = make("propagated", RTCORBA::CLIENT_PROPAGATED, pool_);
    buffered_ = make("buffered", RTCORBA::SERVER_DECLARED, small_);
  }

  CORBA::Object_ptr activate_declared(RTCORBA::Priority priority) {
    const PortableServer::ServantBase_var servant = new Victim;
    const PortableServer::ObjectId_var id = declared_->activate_object_with_priority(servant.in(), priority);
    return declared_->id_to_reference(id.in());
  }
  CORBA::Object_ptr activate_propagated() { return activate(propagated_.in()); }
  CORBA::Object_ptr activate_buffered() { return activate(buffered_.in()); }

 private:
  static CORBA::Object_ptr activate(RTPortableServer::POA_ptr poa) {
    const PortableServer::ServantBase_var servant = new Victim;
    const PortableServer::ObjectId_var id = poa->activate_object(servant.in());
    return poa->id_to_reference(id.in());
  }
  RTPortableServer::POA_ptr make(const char* name, RTCORBA::PriorityModel model, RTCORBA::ThreadpoolId pool) {
    CORBA::PolicyList policies;
    policies.length(3);
    policies[0] = rt_->create_priority_model_policy(model, kLow);
    policies[1] = rt_->create_threadpool_policy(pool);
    policies[2] = root_->create_implicit_activation_policy(PortableServer::NO_IMPLICIT_ACTIVATION);
    const PortableServer::POAManager_var manager = root_->the_POAManager();
    const PortableServer::POA_var made = root_->create_POA(name, manager.in(), policies);
    return RTPortableServer::POA::_narrow(made.in());
  }

  const PortableServer::POA_var root_;
  RTCORBA::RTORB_var rt_;
  RTCORBA::ThreadpoolId pool_ = 0, small_ = 0;
  RTPortableServer::POA_var declared_, propagated_, buffered_;
};

}  // namespace

Objects make_objects(CORBA::ORB_ptr orb, PortableServer::POA_ptr root, int untold) {
  LaneAdapters adapters(orb, root);
  Objects objects;
  objects.victim = adapters.activate_declared(kHigh);
  for (int i = 0; i < untold; ++i) const CORBA::Object_var ignored = adapters.activate_declared(kHigh);
  objects.low = adapters.activate_declared(kLow);
  objects.propagated = adapters.activate_propagated();
  objects.buffered = adapters.activate_buffered();
  return objects;
}

}  // namespace attack
