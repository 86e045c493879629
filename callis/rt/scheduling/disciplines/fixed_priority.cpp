// SPDX-License-Identifier: Apache-2.0
// Fixed priority: the greater base_priority first. Resources have priorities of their own, which their holders have
// at least (a ceiling).
#include <callis/rt/scheduling/disciplines/supplied.h>

namespace callis::rt::scheduling {
namespace {

using SegmentPolicy =
    PolicyOf<FP_Scheduling::SegmentSchedulingParameterPolicy, FP_Scheduling::SegmentSchedulingParameter,
             FP_Scheduling::SEGMENT_SCHEDULING_PARAMETER_POLICY_TYPE>;
using ResourcePolicy =
    PolicyOf<FP_Scheduling::ResourceSchedulingParameterPolicy, FP_Scheduling::ResourceSchedulingParameter,
             FP_Scheduling::RESOURCE_SCHEDULING_PARAMETER_POLICY_TYPE>;

// A priority, of a segment or of a resource: 0 to 32767, as RTCORBA::Priority.
struct Priority {
  CORBA::Short value = 0;
};

ParameterPtr of(CORBA::Short priority) {
  check_times(priority >= 0);
  return make_parameter(Priority{priority});
}

class FixedPriority final : public Discipline {
 public:
  const char* name() const override { return "FP"; }
  ParameterPtr parameter_of(CORBA::Policy_ptr policy) const override {
    if (const auto s = value_in<FP_Scheduling::SegmentSchedulingParameterPolicy>(policy)) return of(s->base_priority);
    if (const auto r = value_in<FP_Scheduling::ResourceSchedulingParameterPolicy>(policy))
      return of(r->resource_priority);
    return nullptr;
  }
  CORBA::Policy_ptr policy_of(const ParameterPtr& p) const override {
    return new SegmentPolicy({value_of<Priority>(*p).value});
  }
  ParameterPtr usual() const override { return of(0); }
  ParameterPtr of_priority(CORBA::Short priority) const override { return of(priority); }
  Urgency urgency(const Parameter& p, const Progress&) const override {
    return {{value_of<Priority>(p).value, 0, 0}};
  }
  void write(const Parameter& p, cdr::Encoder& to) const override {
    to.put_ushort(static_cast<std::uint16_t>(value_of<Priority>(p).value));
  }
  ParameterPtr read(cdr::Decoder& from) const override {
    const auto priority = static_cast<std::int16_t>(from.get_ushort());
    return from.ok() && priority >= 0 ? of(priority) : nullptr;
  }
};

class FixedPriorityScheduler final : public SchedulerOf<FP_Scheduling::Scheduler> {
 public:
  using SchedulerOf::SchedulerOf;
  FP_Scheduling::SegmentSchedulingParameterPolicy_ptr create_segment_scheduling_parameter(
      const FP_Scheduling::SegmentSchedulingParameter& value) override {
    check_times(value.base_priority >= 0);
    return new SegmentPolicy(value);
  }
  FP_Scheduling::ResourceSchedulingParameterPolicy_ptr create_resource_scheduling_parameter(
      const FP_Scheduling::ResourceSchedulingParameter& value) override {
    check_times(value.resource_priority >= 0);
    return new ResourcePolicy(value);
  }
};

}  // namespace

FP_Scheduling::Scheduler_ptr make_fixed_priority_scheduler(const Options& options) {
  return new FixedPriorityScheduler(std::make_shared<SchedulerState>(std::make_unique<FixedPriority>(), options));
}

}  // namespace callis::rt::scheduling
