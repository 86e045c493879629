// SPDX-License-Identifier: Apache-2.0
#include <services/scheduling/checked.h>
#include <services/scheduling/dynamic_parameters.h>

namespace callis::scheduling {

namespace {

using Operation = Configuration::ConfiguredOperation;

TimeBase::TimeT deadline_from_now(const Operation& o) {
  return o.deadline.count() == 0 ? 0 : rt::scheduling::from_now(o.deadline);
}

// TimeT counts 100 ns; rounded up.
TimeBase::TimeT time_units(Time time) { return static_cast<TimeBase::TimeT>(parts(time.count(), 100)); }

CORBA::Long importance_number(const Operation& o) { return static_cast<CORBA::Long>(o.importance); }

Time bounded_time(CallisScheduling::Nanoseconds n) {
  return Time(static_cast<std::int64_t>(
      std::min<CallisScheduling::Nanoseconds>(n, static_cast<CallisScheduling::Nanoseconds>(kLongestTime.count()))));
}

}  // namespace

FP_Scheduling::SegmentSchedulingParameter fixed_priority_of(const Operation& o) {
  FP_Scheduling::SegmentSchedulingParameter out;
  out.base_priority = static_cast<CORBA::Short>(o.priority);
  return out;
}

EDF_Scheduling::SchedulingParameter earliest_deadline_of(const Operation& o) {
  EDF_Scheduling::SchedulingParameter out;
  out.deadline = deadline_from_now(o);
  out.importance = importance_number(o);
  return out;
}

LLF_Scheduling::SchedulingParameter least_laxity_of(const Operation& o) {
  LLF_Scheduling::SchedulingParameter out;
  out.deadline = deadline_from_now(o);
  out.estimated_initial_execution_time = time_units(o.worst_case);
  out.importance = importance_number(o);
  return out;
}

MUF_Scheduling::SchedulingParameter maximum_urgency_of(const Operation& o) {
  MUF_Scheduling::SchedulingParameter out;
  out.criticality = static_cast<CORBA::Long>(o.criticality);
  out.deadline = deadline_from_now(o);
  out.estimated_initial_execution_time = time_units(o.worst_case);
  out.importance = importance_number(o);
  return out;
}

Operation operation_of(const std::string& name, const CallisScheduling::Parameters& from) {
  Operation out;
  out.name = name;
  out.priority = from.priority;
  out.worst_case = bounded_time(from.worst_case_execution_time);
  out.period = bounded_time(from.period);
  out.deadline = bounded_time(from.deadline);
  out.quantum = bounded_time(from.quantum);
  out.criticality = static_cast<Criticality>(from.info_criticality);
  out.importance = static_cast<Importance>(from.info_importance);
  return out;
}

}  // namespace callis::scheduling
