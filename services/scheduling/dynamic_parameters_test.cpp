// SPDX-License-Identifier: Apache-2.0
// Dynamic schedulers are fed by name: from a configuration, and from the service over a real ORB.
#include <services/scheduling/dynamic_parameters.h>
#include <services/scheduling/testing/models.h>
#include <services/scheduling/testing/serving.h>

namespace callis::scheduling::testing {
namespace {

Model radar() {
  Model model(kServiceBounds);
  RtInfo info = periodic("Radar::sweep", milliseconds(50), Time(8'000'001), milliseconds(40));
  info.criticality = Criticality::VeryHigh;
  info.importance = Importance::Low;
  model.add(info);
  model.add(passive("Idle::work", milliseconds(1)));
  return model;
}

// Whether the moment lies `span` behind one at which f() was called.
template<class F>
void expect_deadline(Time span, F&& f) {
  const TimeBase::TimeT first = rt::scheduling::from_now(span);
  const TimeBase::TimeT deadline = f();
  EXPECT_GE(deadline, first);
  EXPECT_LE(deadline, rt::scheduling::from_now(span));
}

TEST(DynamicParameters, AreThoseOfTheConfiguration) {
  const Model model = radar();
  const Configuration plan = configuration_of(model, compute(model));
  const auto* const sweep = plan.find("Radar::sweep");
  ASSERT_TRUE(sweep);
  EXPECT_EQ(fixed_priority_of(*sweep).base_priority, 89);
  expect_deadline(milliseconds(40), [&] { return earliest_deadline_of(*sweep).deadline; });
  expect_deadline(milliseconds(40), [&] { return least_laxity_of(*sweep).deadline; });
  const MUF_Scheduling::SchedulingParameter urgency = maximum_urgency_of(*sweep);
  EXPECT_EQ(urgency.criticality, 4);
  EXPECT_EQ(urgency.importance, 1);
  EXPECT_EQ(urgency.estimated_initial_execution_time, 80'001u) << "rounded up";
  EXPECT_EQ(earliest_deadline_of(*plan.find("Idle::work")).deadline, 0u) << "none";
  const MUF_Scheduling::Scheduler_var scheduler = rt::scheduling::make_maximum_urgency_scheduler();
  const MUF_Scheduling::SchedulingParameterPolicy_var policy = scheduler->create_scheduling_parameter(urgency);
  EXPECT_EQ(policy->value().criticality, 4);
}

TEST(DynamicParameters, AreThoseOfTheService) {
  Serving serving{radar()};
  const auto sweep = operation_of("Radar::sweep", serving.scheduler->dynamic_parameters("Radar::sweep"));
  EXPECT_EQ(sweep.period, milliseconds(50));
  EXPECT_EQ(maximum_urgency_of(sweep).criticality, 4);
  EXPECT_EQ(least_laxity_of(sweep).estimated_initial_execution_time, 80'001u);
  expect_deadline(milliseconds(40), [&] { return maximum_urgency_of(sweep).deadline; });
}

}  // namespace
}  // namespace callis::scheduling::testing
