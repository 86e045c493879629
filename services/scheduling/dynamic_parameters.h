// SPDX-License-Identifier: Apache-2.0
// What a schedule knows of an operation as the parameters of dynamic schedulers (callis/rt_scheduling.h): off-line
// from a configuration, on-line from the Scheduling Service.
//
//   const auto* update = plan.find("Nav::Display::update");
//   current->begin_scheduling_segment("update", scheduler->create_scheduling_parameter(maximum_urgency_of(*update)),
//   nullptr);
//
// Deadlines count from the call of these functions; an operation without one has none. Execution times are the worst.
#pragma once
#include <callis/rt_scheduling.h>
#include <services/scheduling/configuration.h>
#include "CallisScheduling.h"

namespace callis::scheduling {

FP_Scheduling::SegmentSchedulingParameter fixed_priority_of(const Configuration::ConfiguredOperation& operation);
EDF_Scheduling::SchedulingParameter earliest_deadline_of(const Configuration::ConfiguredOperation& operation);
LLF_Scheduling::SchedulingParameter least_laxity_of(const Configuration::ConfiguredOperation& operation);
MUF_Scheduling::SchedulingParameter maximum_urgency_of(const Configuration::ConfiguredOperation& operation);

// As a service tells it. From a peer: times that cannot be are cut to the longest.
Configuration::ConfiguredOperation operation_of(const std::string& name,
                                                const CallisScheduling::Parameters& parameters);

}  // namespace callis::scheduling
