// SPDX-License-Identifier: Apache-2.0
// RTCosScheduling: activities and objects get their priorities by the names of a plan.
#include <callis/rt/schedulers.h>
#include <callis/rt/testing/lanes.h>

namespace callis::rt {
namespace {

using namespace testing;

struct CosSchedulers : Lanes {
  static Plan plan() {
    Plan p;
    p.lanes.length(2);
    p.lanes[0] = {20, 2, 0};
    p.lanes[1] = {10, 2, 0};
    p.priorities = {{"urgent", 20}, {"usual", 10}, {"of no lane", 15}, {"not mapped", 99}};
    return p;
  }
  RTCosScheduling::ServerScheduler_var scheduler{make_server_scheduler(server.in(), plan())};
  RTCosScheduling::ClientScheduler_var activities{make_client_scheduler(client.in(), plan())};

  PortableServer::POA_ptr adapter_with(std::initializer_list<CORBA::Policy_ptr> policies,
                                       const char* name = "planned") {
    CORBA::PolicyList list;
    for (CORBA::Policy_ptr p : policies) add(list, p);
    const PortableServer::POAManager_var manager = root->the_POAManager();
    return scheduler->create_POA(root.in(), name, manager.in(), list);
  }
  CORBA::Object_var object_of(PortableServer::POA_ptr poa) {
    const PortableServer::ObjectId_var id = poa->activate_object(here.in());
    return poa->id_to_reference(id.in());
  }
  // Returns where a call of the activity is executed.
  where::Place told_in(const char* activity, where::Teller_ptr teller) {
    where::Place found{};
    std::thread([&] {
      activities->schedule_activity(activity);
      found = tell_of(teller);
    }).join();
    return found;
  }
};

TEST_F(CosSchedulers, RunObjectsAtThePrioritiesOfTheirNames) {
  const PortableServer::POA_var poa = adapter_with({});
  const CORBA::Object_var object = object_of(poa.in());
  const where::Teller_var before = at_client(object.in());
  expect(tell_of(before.in()), 10);
  scheduler->schedule_object(object.in(), "urgent");
  expect(tell_of(before.in()), 20);
  const PortableServer::ObjectId_var id = poa->reference_to_id(object.in());
  const CORBA::Object_var again = poa->id_to_reference(id.in());
  const where::Teller_var after = at_client(again.in());
  expect(tell_of(after.in()), 20);
  scheduler->schedule_object(object.in(), "usual");
  expect(tell_of(after.in()), 10);
}

TEST_F(CosSchedulers, RunActivitiesAtThePrioritiesOfTheirNames) {
  const PortableServer::POA_var poa =
      adapter_with({rt->create_priority_model_policy(RTCORBA::CLIENT_PROPAGATED, 10)});
  const CORBA::Object_var object = object_of(poa.in());
  const where::Teller_var teller = at_client(object.in());
  scheduler->schedule_object(object.in(), "usual");
  expect(told_in("urgent", teller.in()), 20);
  expect(told_in("usual", teller.in()), 10);
}

TEST_F(CosSchedulers, RefuseNamesThatThePlanDoesNotHave) {
  const PortableServer::POA_var poa = adapter_with({});
  const CORBA::Object_var object = object_of(poa.in());
  EXPECT_THROW(scheduler->schedule_object(object.in(), "nobody"), RTCosScheduling::UnknownName);
  EXPECT_THROW(scheduler->schedule_object(object.in(), ""), RTCosScheduling::UnknownName);
  EXPECT_THROW(scheduler->schedule_object(object.in(), "of no lane"), CORBA::BAD_PARAM);
  std::thread([&] {
    activities->schedule_activity("usual");
    EXPECT_THROW(activities->schedule_activity("nobody"), RTCosScheduling::UnknownName);
    EXPECT_THROW(activities->schedule_activity("not mapped"), CORBA::DATA_CONVERSION);
    EXPECT_EQ(current->the_priority(), 10);
  }).join();
}

TEST_F(CosSchedulers, RefuseObjectsOfOtherAdapters) {
  const PortableServer::POA_var poa = adapter_with({}), gone = adapter_with({}, "gone");
  const CORBA::Object_var object = object_of(root.in());
  EXPECT_THROW(scheduler->schedule_object(object.in(), "urgent"), CORBA::BAD_PARAM);
  EXPECT_THROW(scheduler->schedule_object(nullptr, "urgent"), CORBA::BAD_PARAM);
  gone->destroy(true, true);
  EXPECT_THROW(scheduler->schedule_object(object.in(), "urgent"), CORBA::BAD_PARAM);
}

TEST_F(CosSchedulers, RefuseThreadPoolsBesideThatOfThePlan) {
  const RTCORBA::ThreadpoolId pool = rt->create_threadpool(0, 1, 0, 10, false, 0, 0);
  try {
    const PortableServer::POA_var poa = adapter_with(
        {rt->create_priority_model_policy(RTCORBA::SERVER_DECLARED, 10), rt->create_threadpool_policy(pool)});
    ADD_FAILURE() << "the adapter could be made";
  } catch (const PortableServer::POA::InvalidPolicy& e) {
    EXPECT_EQ(e.index, 1);
  }
  EXPECT_THROW(adapter_with({rt->create_priority_model_policy(RTCORBA::SERVER_DECLARED, 15)}),
               PortableServer::POA::InvalidPolicy)
      << "no lane";
  const PortableServer::POA_var poa = adapter_with({});
  EXPECT_THROW(adapter_with({}), PortableServer::POA::AdapterAlreadyExists);
}

TEST_F(CosSchedulers, RefusePlansWithoutLanes) {
  scheduler = make_server_scheduler(server.in(), {});
  EXPECT_THROW(adapter_with({}), CORBA::BAD_PARAM);
}

}  // namespace
}  // namespace callis::rt
