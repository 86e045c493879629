// SPDX-License-Identifier: Apache-2.0
// A schedule becomes a thread pool with lanes, and objects run in them at the priorities of their operations.
#include <services/scheduling/rt_lanes.h>
#include <services/scheduling/testing/models.h>
#include <services/scheduling/testing/serving.h>
#include <atomic>
#include "worker_skel.h"

namespace callis::scheduling::testing {
namespace {

// Tells the priority at which it runs.
class TellingServant final : public POA_Measured::Worker {
 public:
  explicit TellingServant(RTCORBA::Current_ptr current) : current_(RTCORBA::Current::_duplicate(current)) {}
  std::atomic<int> priority{-1};

 private:
  void spin(CORBA::ULong) override { priority = current_->the_priority(); }
  void outer(CORBA::ULong) override {}
  void sleep(CORBA::ULong) override {}

  RTCORBA::Current_var current_;
};

Configuration plan() {
  Model model;
  model.add(periodic("Fast::spin", milliseconds(10), milliseconds(1)));
  model.add(periodic("Slow::spin", milliseconds(100), milliseconds(5)));
  return read_configuration(to_text(configuration_of(model, compute(model))), "plan");
}

TEST(RtLanes, AreThoseOfTheSchedule) {
  const Configuration configuration = plan();
  const RTCORBA::ThreadpoolLanes lanes = lanes_of(configuration);
  ASSERT_EQ(lanes.length(), 2u);
  EXPECT_EQ(lanes[0].lane_priority, 0);
  EXPECT_EQ(lanes[1].lane_priority, 89);
  EXPECT_EQ(lanes[1].static_threads, 1u);
  EXPECT_EQ(lanes[1].dynamic_threads, 0u);
  EXPECT_EQ(refusal([&] { (void)priority_in(configuration, "Other::spin"); }),
            "the schedule has no operation 'Other::spin': schedule it, too");
}

TEST(RtLanes, AreThePlanOfTheStandardsSchedulers) {
  const rt::Plan made = plan_of(plan());
  EXPECT_EQ(made.lanes.length(), 2u);
  EXPECT_EQ(made.priorities, (decltype(made.priorities){{"Fast::spin", 89}, {"Slow::spin", 0}}));
}

TEST(RtLanes, ServeObjectsAtTheScheduledPriorities) {
  const Configuration configuration = plan();
  const CORBA::ORB_var orb = new_orb({"-ORBEndpoint", "tcp:127.0.0.1:0"}, "rt-lanes-server"),
                       client = new_orb({}, "rt-lanes-client");
  CORBA::Object_var object = orb->resolve_initial_references("RTORB");
  const RTCORBA::RTORB_var rtorb = RTCORBA::RTORB::_narrow(object.in());
  object = orb->resolve_initial_references("RTCurrent");
  const RTCORBA::Current_var current = RTCORBA::Current::_narrow(object.in());
  const RTCORBA::ThreadpoolId pool = make_threadpool(rtorb.in(), configuration);
  object = orb->resolve_initial_references("RootPOA");
  const PortableServer::POA_var root = PortableServer::POA::_narrow(object.in());
  CORBA::PolicyList policies;
  policies.length(2);
  policies[0] = rtorb->create_priority_model_policy(RTCORBA::SERVER_DECLARED, 0);
  policies[1] = rtorb->create_threadpool_policy(pool);
  const PortableServer::POAManager_var manager = root->the_POAManager();
  const PortableServer::POA_var plain = root->create_POA("scheduled", manager.in(), policies);
  const RTPortableServer::POA_var poa = RTPortableServer::POA::_narrow(plain.in());
  manager->activate();
  for (const char* operation : {"Fast::spin", "Slow::spin"}) {
    const RTCORBA::Priority scheduled = priority_in(configuration, operation);
    const PortableServer::Servant_var<TellingServant> servant(new TellingServant(current.in()));
    const PortableServer::ObjectId_var id = poa->activate_object_with_priority(servant, scheduled);
    object = poa->id_to_reference(id.in());
    const CORBA::String_var text = orb->object_to_string(object.in());
    object = client->string_to_object(text.in());
    Measured::Worker_var(Measured::Worker::_narrow(object.in()))->spin(1);
    EXPECT_EQ(servant->priority, scheduled) << operation;
  }
  client->destroy();
  orb->destroy();
}

}  // namespace
}  // namespace callis::scheduling::testing
