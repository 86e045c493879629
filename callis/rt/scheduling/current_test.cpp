// SPDX-License-Identifier: Apache-2.0
// RTScheduling::Current without calls: segments, names, parameters, ids, spawn, and cancelling what runs here.
#include <callis/rt/scheduling/testing/schedulers.h>

namespace callis::rt::scheduling::testing {
namespace {

using Names = std::vector<std::string>;

struct CurrentTest : Scheduled<EDF_Scheduling::Scheduler> {
  CurrentTest() : Scheduled(&make_earliest_deadline_scheduler, 2) {}
  CORBA::Policy_var due(Ticks at) { return CORBA::Policy_var(deadline(scheduler.in(), at)); }
  static Ticks deadline_in(const CORBA::Policy_var& p) {
    const auto edf = EDF_Scheduling::SchedulingParameterPolicy_var(
        EDF_Scheduling::SchedulingParameterPolicy::_narrow(p.in()));
    return edf.in() ? static_cast<Ticks>(edf.in()->value().deadline) : -1;
  }
  Ticks parameter() { return deadline_in(CORBA::Policy_var(current->scheduling_parameter())); }
  Ticks implicit() { return deadline_in(CORBA::Policy_var(current->implicit_scheduling_parameter())); }
  RTScheduling::DistributableThread_ptr me() {
    const RTScheduling::Current::IdType_var id = current->id();
    return current->lookup(id.in());
  }
};

TEST_F(CurrentTest, is_an_initial_reference_beside_the_scheduler) {
  const CORBA::Object_var object = orb->resolve_initial_references("RTScheduler");
  const RTScheduling::Scheduler_var found = RTScheduling::Scheduler::_narrow(object.in());
  const CORBA::String_var name = found->scheduling_discipline_name();
  EXPECT_STREQ(name.in(), "EDF");
  const CORBA::PolicyList_var none = found->poa_policies();
  EXPECT_EQ(none->length(), 0u);
  const CORBA::ORB_var without = orb_with(nullptr);
  EXPECT_EQ(outcome_of([&] { without->resolve_initial_references("RTScheduler_Current"); }), "InvalidName");
  without->destroy();
}

// Chapter 3: interface Current : RTCORBA::Current.
TEST_F(CurrentTest, has_the_priority_of_the_real_time_current) {
  const CORBA::Object_var object = orb->resolve_initial_references("RTCurrent");
  const RTCORBA::Current_var priorities = RTCORBA::Current::_narrow(object.in());
  const RTCORBA::Current_var base = RTCORBA::Current::_narrow(current.in());
  std::thread([&] {
    EXPECT_EQ(outcome_of([&] { base->the_priority(); }).substr(0, 10), "INITIALIZE");
    priorities->the_priority(3);
    EXPECT_EQ(current->the_priority(), 3);
    current->begin_scheduling_segment("s", nullptr, nullptr);
    current->the_priority(4);
    EXPECT_EQ(priorities->the_priority(), 4);
    current->end_scheduling_segment("s");
    EXPECT_EQ(outcome_of([&] { current->the_priority(-1); }).substr(0, 9), "BAD_PARAM");
    EXPECT_EQ(base->the_priority(), 4);
  }).join();
}

TEST_F(CurrentTest, has_no_id_no_names_and_no_parameters_outside_segments) {
  const RTScheduling::Current::IdType_var id = current->id();
  EXPECT_EQ(id->length(), 0u);
  EXPECT_EQ(names(), Names{});
  EXPECT_EQ(parameter(), -1);
  const RTScheduling::DistributableThread_var nobody = me();
  EXPECT_TRUE(CORBA::is_nil(nobody.in()));
}

TEST_F(CurrentTest, names_segments_from_the_innermost_to_the_outermost) {
  current->begin_scheduling_segment("outer", due(100).in(), nullptr);
  current->begin_scheduling_segment("inner", due(50).in(), due(70).in());
  EXPECT_EQ(names(), (Names{"inner", "outer"}));
  EXPECT_EQ(parameter(), 50);
  EXPECT_EQ(implicit(), 70);
  current->end_scheduling_segment("inner");
  EXPECT_EQ(names(), Names{"outer"});
  EXPECT_EQ(parameter(), 100);
  EXPECT_EQ(implicit(), -1);
  current->end_scheduling_segment("outer");
  EXPECT_EQ(names(), Names{});
}

TEST_F(CurrentTest, takes_what_is_not_given_from_the_segment_around_and_from_the_scheduler) {
  CORBA::PolicyList usual;
  usual.length(1);
  usual[0] = due(777)._retn();
  scheduler->scheduling_policies(usual);
  current->begin_scheduling_segment(nullptr, nullptr, nullptr);
  EXPECT_EQ(parameter(), 777);
  current->update_scheduling_segment("named", due(5).in(), nullptr);
  EXPECT_EQ(names(), Names{"named"});
  current->begin_scheduling_segment("inner", nullptr, nullptr);
  EXPECT_EQ(parameter(), 5);
  current->end_scheduling_segment(nullptr);
  current->end_scheduling_segment("named");
}

TEST_F(CurrentTest, has_the_same_id_in_nested_segments_and_another_in_the_next_thread) {
  current->begin_scheduling_segment("a", nullptr, nullptr);
  const RTScheduling::Current::IdType_var first = current->id();
  EXPECT_EQ(first->length(), 16u);
  current->begin_scheduling_segment("b", nullptr, nullptr);
  const RTScheduling::Current::IdType_var nested = current->id();
  EXPECT_TRUE(std::equal(&first.in()[0], &first.in()[0] + 16, &nested.in()[0]));
  current->end_scheduling_segment("b");
  current->end_scheduling_segment("a");
  current->begin_scheduling_segment("c", nullptr, nullptr);
  const RTScheduling::Current::IdType_var next = current->id();
  EXPECT_FALSE(std::equal(&first.in()[0], &first.in()[0] + 16, &next.in()[0]));
  current->end_scheduling_segment("c");
  EXPECT_EQ(state().threads().size(), 0u);
}

TEST_F(CurrentTest, refuses_parameters_of_other_disciplines) {
  const FP_Scheduling::Scheduler_var fp = make_fixed_priority_scheduler(by_turns(time));
  const CORBA::Policy_var other = fp->create_segment_scheduling_parameter({1});
  EXPECT_EQ(outcome_of([&] { current->begin_scheduling_segment("x", other.in(), nullptr); }),
            "UNSUPPORTED_SCHEDULING_DISCIPLINE");
  EXPECT_EQ(names(), Names{});
  current->begin_scheduling_segment("x", nullptr, nullptr);
  EXPECT_EQ(outcome_of([&] { current->update_scheduling_segment("x", nullptr, other.in()); }),
            "UNSUPPORTED_SCHEDULING_DISCIPLINE");
  current->end_scheduling_segment("x");
  CORBA::PolicyList list;
  EXPECT_EQ(outcome_of([&] { scheduler->scheduling_policies(list); }), "INCOMPATIBLE_SCHEDULING_DISCIPLINES");
  list.length(1);
  list[0] = CORBA::Policy::_duplicate(other.in());
  EXPECT_EQ(outcome_of([&] { scheduler->scheduling_policies(list); }), "INCOMPATIBLE_SCHEDULING_DISCIPLINES");
  EXPECT_EQ(outcome_of([&] { scheduler->create_resource_manager("r", other.in()); }), "BAD_PARAM 228 NO");
}

TEST_F(CurrentTest, ends_what_has_begun_only) {
  EXPECT_EQ(outcome_of([&] { current->end_scheduling_segment("x"); }), "BAD_INV_ORDER 225 NO");
  EXPECT_EQ(outcome_of([&] { current->update_scheduling_segment("x", nullptr, nullptr); }), "BAD_INV_ORDER 225 NO");
  current->begin_scheduling_segment("a", nullptr, nullptr);
  EXPECT_EQ(outcome_of([&] { current->end_scheduling_segment("b"); }), "BAD_INV_ORDER 226 NO");
  EXPECT_EQ(names(), Names{"a"});
  current->end_scheduling_segment("a");
  const std::string long_name(256, 'n');
  EXPECT_EQ(outcome_of([&] { current->begin_scheduling_segment(long_name.c_str(), nullptr, nullptr); }),
            "BAD_PARAM 234 NO");
}

// --- spawn ---

struct Action final : RTScheduling::ThreadAction {
  std::function<void()> act;
  CORBA::VoidData got = nullptr;
  Signal done;
  void _cxx_do(CORBA::VoidData data) override {
    got = data;
    const struct Says {
      Signal& to;
      ~Says() { to.set(); }
    } says{done};
    if (act) act();
  }
};
using Action_var = classic::ReferenceVar<RTScheduling::ThreadAction>;

TEST_F(CurrentTest, spawns_distributable_threads_with_ids_and_parameters_of_their_own) {
  auto* const action = new Action;
  const Action_var counted(action);
  int data = 0;
  Signal looked;
  std::string seen;
  RTScheduling::DistributableThread_var inside;
  action->act = [&] {
    inside = me();
    seen = names()[0] + " " + std::to_string(parameter());
    seen += " " + outcome_of([&] { current->end_scheduling_segment("spawned"); });
    looked.wait();
  };
  const CORBA::Policy_var p = due(50);
  const RTScheduling::DistributableThread_var thread =
      current->spawn(action, &data, "spawned", p.in(), nullptr, 100'000, 0);
  EXPECT_EQ(thread->state(), RTScheduling::DistributableThread::ACTIVE);
  looked.set();
  action->done.wait();
  EXPECT_EQ(action->got, &data);
  EXPECT_EQ(seen, "spawned 50 BAD_INV_ORDER 225 NO");
  EXPECT_EQ(inside.in(), thread.in());
  until([&] { return state().threads().size() == 0; });
  EXPECT_EQ(outcome_of([&] { thread->cancel(); }), "OBJECT_NOT_EXIST 227 NO");
}

TEST_F(CurrentTest, spawns_with_the_implicit_parameter_where_none_is_given) {
  const Action_var counted(new Action);
  auto* const action = static_cast<Action*>(counted.in());
  Ticks seen = 0;
  action->act = [&] { seen = parameter(); };
  current->begin_scheduling_segment("mine", due(10).in(), due(44).in());
  const RTScheduling::DistributableThread_var thread = current->spawn(action, nullptr, "x", nullptr, nullptr, 0, 0);
  action->done.wait();
  EXPECT_EQ(seen, 44);
  current->end_scheduling_segment("mine");
  EXPECT_EQ(outcome_of([&] { current->spawn(nullptr, nullptr, "x", nullptr, nullptr, 0, 0); }), "BAD_PARAM 228 NO");
  EXPECT_EQ(outcome_of([&] { current->spawn(action, nullptr, "x", nullptr, nullptr, 0, -1); }), "BAD_PARAM 228 NO");
  until([&] { return state().threads().size() == 0; });
}

// --- cancel ---

TEST_F(CurrentTest, cancelled_threads_are_told_at_the_next_scheduling_point) {
  current->begin_scheduling_segment("outer", nullptr, nullptr);
  current->begin_scheduling_segment("inner", nullptr, nullptr);
  const RTScheduling::DistributableThread_var thread = me();
  thread->cancel();
  EXPECT_EQ(thread->state(), RTScheduling::DistributableThread::CANCELLED);
  EXPECT_EQ(names(), (Names{"inner", "outer"}));
  EXPECT_EQ(outcome_of([&] { current->update_scheduling_segment("inner", nullptr, nullptr); }), kCancelledNo);
  EXPECT_EQ(names(), Names{}) << "its segments have ended";
  EXPECT_EQ(outcome_of([&] { current->update_scheduling_segment("inner", nullptr, nullptr); }), kCancelledNo);
  EXPECT_EQ(outcome_of([&] { current->end_scheduling_segment("inner"); }), kCancelledNo);
  EXPECT_EQ(outcome_of([&] { current->end_scheduling_segment("outer"); }), kCancelledNo);
  EXPECT_EQ(outcome_of([&] { current->end_scheduling_segment("none"); }), "BAD_INV_ORDER 225 NO");
  EXPECT_EQ(outcome_of([&] { thread->cancel(); }), "OBJECT_NOT_EXIST 227 NO");
  EXPECT_EQ(outcome_of([&] { current->begin_scheduling_segment("new", nullptr, nullptr); }), "ok");
  current->end_scheduling_segment("new");
}

TEST_F(CurrentTest, cancelled_threads_hear_of_it_at_each_kind_of_scheduling_point) {
  const auto at = [&](auto&& point) {
    current->begin_scheduling_segment("s", nullptr, nullptr);
    RTScheduling::DistributableThread_var(me())->cancel();
    return outcome_of(point);
  };
  const Action_var action(new Action);
  const RTScheduling::ResourceManager_var resource = scheduler->create_resource_manager("r", nullptr);
  EXPECT_EQ(at([&] { current->begin_scheduling_segment("t", nullptr, nullptr); }), kCancelledNo);
  EXPECT_EQ(at([&] { current->end_scheduling_segment("s"); }), kCancelledNo);
  EXPECT_EQ(at([&] { current->spawn(action.in(), nullptr, "t", nullptr, nullptr, 0, 0); }), kCancelledNo);
  EXPECT_EQ(at([&] { resource->lock(); }), kCancelledNo);
  EXPECT_TRUE(resource->try_lock(0)) << "it has not been locked";
  resource->unlock();
}

TEST_F(CurrentTest, cancelled_threads_do_not_wait_on_for_their_turn_or_a_resource) {
  const RTScheduling::ResourceManager_var resource = scheduler->create_resource_manager("r", nullptr);
  resource->lock();
  Signal begun;
  RTScheduling::DistributableThread_var waits;
  std::string outcome;
  std::thread for_resource([&] {
    current->begin_scheduling_segment("waits", nullptr, nullptr);
    waits = me();
    begun.set();
    outcome = outcome_of([&] { resource->lock(); });
  });
  begun.wait();
  waits->cancel();
  for_resource.join();
  EXPECT_EQ(outcome, kCancelledNo);
  resource->unlock();

  current->begin_scheduling_segment("one", due(1).in(), nullptr);
  Signal go, second;
  std::thread other = in_segment("two", due(2).in(), [&] {
    second.set();
    go.wait();
  });
  second.wait();
  const Action_var action(new Action);
  bool ran = false;
  static_cast<Action*>(action.in())->act = [&] { ran = true; };
  const RTScheduling::DistributableThread_var third =
      current->spawn(action.in(), nullptr, "three", due(9).in(), nullptr, 0, 0);
  until([&] { return gate().ready() == 1; });
  third->cancel();
  until([&] { return state().threads().size() == 2; });
  EXPECT_FALSE(ran);
  go.set();
  other.join();
  current->end_scheduling_segment("one");
}

TEST_F(CurrentTest, schedulers_that_callis_has_not_made_cannot_be_used) {
  struct Foreign final : RTScheduling::Scheduler {
    CORBA::PolicyList* scheduling_policies() override { return nullptr; }
    void scheduling_policies(const CORBA::PolicyList&) override {}
    CORBA::PolicyList* poa_policies() override { return nullptr; }
    char* scheduling_discipline_name() override { return nullptr; }
    RTScheduling::ResourceManager_ptr create_resource_manager(const char*, CORBA::Policy_ptr) override {
      return nullptr;
    }
    void set_scheduling_parameter(PortableServer::Servant&, const char*, CORBA::Policy_ptr) override {}
  };
  const RTScheduling::Scheduler_var foreign = new Foreign;
  EXPECT_EQ(outcome_of([&] { use_scheduler(foreign.in()); }), "BAD_PARAM 233 NO");
}

}  // namespace
}  // namespace callis::rt::scheduling::testing
