// SPDX-License-Identifier: Apache-2.0
// Where priorities come from, and where they go: schedules, lanes, threads, and the calls to consumers.
#include <callis/rt.h>
#include <callis/rt/priorities/permissions.h>
#include <services/events/rtchannel/real_time.h>
#include <services/events/rtchannel/testing/serving.h>
#include <services/scheduling/service.h>
#include <gtest/gtest.h>
#include <sched.h>

namespace callis::rtevents {
namespace {

using namespace testing;
using namespace std::chrono_literals;

constexpr CallisScheduling::Nanoseconds kMs = 1'000'000;

// A Scheduling Service with two operations, in an ORB of its own.
struct Scheduling {
  CORBA::ORB_var orb = new_orb({"-ORBEndpoint", "tcp:127.0.0.1:0"}, "rtevents-scheduler");
  PortableServer::Servant_var<scheduling::SchedulingService> service = new scheduling::SchedulingService;
  std::string ior;
  CORBA::Long fast = 0, slow = 0;
  CORBA::Short fast_priority = 0, slow_priority = 0;

  Scheduling() {
    const CORBA::Object_var reference = scheduling::serve(orb.in(), *service.in());
    ior = CORBA::String_var(orb->object_to_string(reference.in())).in();
    PortableServer::POAManager_var(root_of(orb.in())->the_POAManager())->activate();
    fast = create("Monitor::fast", 25 * kMs);
    slow = create("Monitor::slow", 200 * kMs);
    CallisScheduling::Options options{};
    options.assignment = CallisScheduling::RATE_MONOTONIC;
    options.most_lanes = 32;
    options.greatest_priority = 89;
    CallisScheduling::Summary_var(service->compute(options));
    fast_priority = CallisScheduling::Result_var(service->result_of(static_cast<CORBA::ULong>(fast)))->priority;
    slow_priority = CallisScheduling::Result_var(service->result_of(static_cast<CORBA::ULong>(slow)))->priority;
  }
  ~Scheduling() { orb->destroy(); }
  CORBA::Long create(const char* name, CallisScheduling::Nanoseconds period) {
    CallisScheduling::RtInfo info{};
    info.entry_point = name;
    info.info_kind = CallisScheduling::OPERATION;
    info.worst_case_execution_time = kMs;
    info.period = period;
    info.info_criticality = CallisScheduling::HIGH_CRITICALITY;
    info.info_importance = CallisScheduling::MEDIUM_IMPORTANCE;
    info.threads = 1;
    return static_cast<CORBA::Long>(service->create(info));
  }
};

ServiceOptions with_scheduler(CORBA::ORB_ptr orb, const std::string& ior) {
  ServiceOptions out = quick();
  out.scheduler = orb->string_to_object(ior.c_str());
  return out;
}

// Tells the CORBA priority at which it is called.
class Telling : public Consumer {
 public:
  RTCORBA::Current_var current;
  Watched<std::vector<int>> priorities;
  void push(const comm::EventSet& data) override {
    const int at = current->the_priority();
    priorities.change([at](auto& all) { all.push_back(at); });
    Consumer::push(data);
  }
};

// An adapter of the client's whose requests run at the priority of who calls.
comm::PushConsumer_var propagated(Serving& s, Telling& consumer) {
  CORBA::Object_var object = s.client->resolve_initial_references("RTORB");
  const RTCORBA::RTORB_var rtorb = RTCORBA::RTORB::_narrow(object.in());
  object = s.client->resolve_initial_references("RTCurrent");
  consumer.current = RTCORBA::Current::_narrow(object.in());
  CORBA::PolicyList policies;
  policies.length(1);
  policies[0] = rtorb->create_priority_model_policy(RTCORBA::CLIENT_PROPAGATED, 0);
  const PortableServer::POAManager_var manager = s.client_poa->the_POAManager();
  const PortableServer::POA_var poa = s.client_poa->create_POA("propagated", manager.in(), policies);
  const PortableServer::ObjectId_var id = poa->activate_object(&consumer);
  object = poa->id_to_reference(id.in());
  return comm::PushConsumer::_narrow(object.in());
}

TEST(RtPriorities, of_RT_Infos_come_from_the_Scheduling_Service) {
  Scheduling scheduling;
  ASSERT_GT(scheduling.fast_priority, scheduling.slow_priority);
  const CORBA::ORB_var asking = new_orb({}, "rtevents-asking");
  ServiceOptions options = with_scheduler(asking.in(), scheduling.ior);
  options.lanes = {{scheduling.slow_priority, 1}, {scheduling.fast_priority, 1}};
  {
    Serving s(options);
    auto& consumer = s.make<Telling>();
    const auto reference = propagated(s, consumer);
    const admin::ProxyPushSupplier_var proxy = s.consumers()->obtain_push_supplier();
    proxy->connect_push_consumer(reference.in(), Qos()
                                                     .disjunction()
                                                     .on(1, 20, scheduling.slow)
                                                     .disjunction()
                                                     .on(1, 21, scheduling.slow)
                                                     .on(1, 22, scheduling.fast));
    const auto supplier = s.pushing();
    s.push(supplier.in(), {event(1, 20, 1)});
    ASSERT_TRUE(consumer.has_got({{1}}));
    s.push(supplier.in(), {event(1, 21, 2)});
    ASSERT_TRUE(consumer.has_got({{1}, {2}}));
    EXPECT_EQ(consumer.priorities.value(),
              (std::vector<int>{scheduling.slow_priority, scheduling.fast_priority})) << "the highest of the group";
    auto& other = s.make<Consumer>();
    EXPECT_THROW(s.connect(other, Qos().on(1, 20, 4'711)), CORBA::BAD_PARAM);
    EXPECT_NE(std::string(CORBA::String_var(s.consumers()->why_refused(Qos().on(1, 20, 4'711))).in())
                  .find("RT_Info 4711: "), std::string::npos);
    own::ConsumerTerms terms = s.terms(-1);
    terms.operation = "Monitor::fast";
    own::ProxyPushSupplier_var(s.consumers()->obtain_push_supplier_with(terms))->disconnect_push_supplier();
    terms.operation = "Monitor::none";
    EXPECT_THROW(s.consumers()->obtain_push_supplier_with(terms), own::Refused);
  }
  asking->destroy();
}

TEST(RtPriorities, are_refused_while_the_Scheduling_Service_does_not_answer) {
  const CORBA::ORB_var asking = new_orb({}, "rtevents-asking");
  {
    Serving s(with_scheduler(asking.in(), "corbaloc::127.0.0.1:1/SchedulingService"));
    auto& consumer = s.make<Consumer>();
    EXPECT_THROW(s.connect(consumer, Qos().on(1, 20, 1)), CORBA::BAD_PARAM);
    s.connect(consumer, Qos().on(1, 20));  // nothing needs it
  }
  asking->destroy();
}

TEST(RtPriorities, of_operations_come_from_a_schedule_and_handles_mean_nothing_without_a_service) {
  ServiceOptions options = quick();
  options.schedule.emplace();
  options.schedule->lanes = {{0, 1}, {50, 1}};
  options.schedule->operations.resize(1);
  options.schedule->operations[0].name = "Monitor::fast";
  options.schedule->operations[0].priority = 50;
  Serving s(options);
  auto& consumer = s.make<Telling>();
  own::ConsumerTerms terms = s.terms(-1);
  terms.operation = "Monitor::fast";
  const own::ProxyPushSupplier_var proxy = s.consumers()->obtain_push_supplier_with(terms);
  proxy->connect_push_consumer(propagated(s, consumer).in(), Qos().on(1, 20, 4'711));
  const auto supplier = s.pushing();
  s.push(supplier.in(), {event(1, 20, 1)});
  ASSERT_TRUE(consumer.has_got({{1}}));
  EXPECT_EQ(consumer.priorities.value(), std::vector<int>{50});
  terms.operation = "Monitor::none";
  EXPECT_THROW(s.consumers()->obtain_push_supplier_with(terms), own::Refused);
}

TEST(RtPriorities, are_those_of_the_system_where_the_process_may_have_them) {
  const CORBA::ORB_var orb = new_orb({"-ORBRealTime", "preferred"}, "rtevents-preferred");
  const bool may = rt::FifoPermission::look().granted();
  Watched<std::vector<std::pair<int, int>>> seen;
  {
    Lane lane({.priority = 4, .threads = 2, .most_threads = 2, .begin = [&](std::int16_t priority) {
                 EXPECT_EQ(run_at(orb.in(), priority), "");
                 int policy = 0;
                 sched_param parameters{};
                 pthread_getschedparam(pthread_self(), &policy, &parameters);
                 seen.change([&](auto& all) { all.emplace_back(policy, parameters.sched_priority); });
               }});
    ASSERT_TRUE(seen.wait([](const auto& all) { return all.size() == 2; }));
  }
  const std::pair<int, int> wanted = may ? std::pair(SCHED_FIFO, 5) : std::pair(SCHED_OTHER, 0);
  EXPECT_EQ(seen.value(), (std::vector{wanted, wanted}));
  EXPECT_NE(run_at(orb.in(), 32'000), "") << "the mapping has none for it";
  orb->destroy();
}

TEST(RtPriorities, of_lanes_are_bounded_and_differ) {
  for (const std::vector<LaneSpec>& lanes : {std::vector<LaneSpec>{}, {{5, 1}, {5, 2}}, {{-1, 1}},
                                             std::vector<LaneSpec>(65, LaneSpec{1, 1})}) {
    ServiceOptions options = quick();
    options.lanes = lanes;
    EXPECT_THROW(Serving s(options), own::Refused);
  }
}

}  // namespace
}  // namespace callis::rtevents
