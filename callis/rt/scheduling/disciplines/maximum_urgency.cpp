// SPDX-License-Identifier: Apache-2.0
// Maximum urgency first (Stewart and Khosla, 1991): criticality, then the dynamic subpriority, which is the least
// laxity, then the static subpriority. Under overload the critical ones keep their deadlines, whatever the others
// miss.
#include <callis/rt/scheduling/disciplines/supplied.h>

namespace callis::rt::scheduling {
namespace {

using MUF_Scheduling::SchedulingParameter;
using MUF_Scheduling::SchedulingParameterPolicy;

class MaximumUrgency final : public DisciplineOf<MaximumUrgency, SchedulingParameterPolicy, SchedulingParameter,
                                                 MUF_Scheduling::SCHEDULING_PARAMETER_POLICY_TYPE> {
 public:
  const char* name() const override { return "MUF"; }
  static bool good(const Value& v) { return is_time(v.deadline) && is_time(v.estimated_initial_execution_time); }
  static Urgency urgency_of(const Value& v, const Progress& p) {
    return {{v.criticality, -laxity(v.deadline, v.estimated_initial_execution_time, p), v.importance}};
  }
  static void put(cdr::Encoder& e, const Value& v) {
    e.put_ulong(static_cast<std::uint32_t>(v.criticality));
    e.put_ulonglong(v.deadline);
    e.put_ulonglong(v.estimated_initial_execution_time);
    e.put_ulong(static_cast<std::uint32_t>(v.importance));
  }
  static Value get(cdr::Decoder& d) {
    Value v{};
    v.criticality = static_cast<std::int32_t>(d.get_ulong());
    v.deadline = d.get_ulonglong();
    v.estimated_initial_execution_time = d.get_ulonglong();
    v.importance = static_cast<std::int32_t>(d.get_ulong());
    return v;
  }
};

}  // namespace

MUF_Scheduling::Scheduler_ptr make_maximum_urgency_scheduler(const Options& options) {
  using Scheduler = SchedulerWith<MaximumUrgency, MUF_Scheduling::Scheduler, SchedulingParameterPolicy>;
  return new Scheduler(std::make_shared<SchedulerState>(std::make_unique<MaximumUrgency>(), options));
}

}  // namespace callis::rt::scheduling
