// SPDX-License-Identifier: Apache-2.0
// Earliest deadline first (Liu and Layland, 1973): the earlier absolute deadline, then the greater importance.
#include <callis/rt/scheduling/disciplines/supplied.h>

namespace callis::rt::scheduling {
namespace {

using EDF_Scheduling::SchedulingParameter;
using EDF_Scheduling::SchedulingParameterPolicy;

class EarliestDeadline final
    : public DisciplineOf<EarliestDeadline, SchedulingParameterPolicy, SchedulingParameter,
                          EDF_Scheduling::SCHEDULING_PARAMETER_POLICY_TYPE> {
 public:
  const char* name() const override { return "EDF"; }
  static bool good(const Value& v) { return is_time(v.deadline); }
  static Urgency urgency_of(const Value& v, const Progress&) { return {{-deadline_of(v.deadline), v.importance, 0}}; }
  static void put(cdr::Encoder& e, const Value& v) {
    e.put_ulonglong(v.deadline);
    e.put_ulong(static_cast<std::uint32_t>(v.importance));
  }
  static Value get(cdr::Decoder& d) {
    Value v{};
    v.deadline = d.get_ulonglong();
    v.importance = static_cast<std::int32_t>(d.get_ulong());
    return v;
  }
};

}  // namespace

EDF_Scheduling::Scheduler_ptr make_earliest_deadline_scheduler(const Options& options) {
  using Scheduler = SchedulerWith<EarliestDeadline, EDF_Scheduling::Scheduler, SchedulingParameterPolicy>;
  return new Scheduler(std::make_shared<SchedulerState>(std::make_unique<EarliestDeadline>(), options));
}

}  // namespace callis::rt::scheduling
