// SPDX-License-Identifier: Apache-2.0
// Least laxity first: the segment that can wait for the shortest time without missing its deadline, then the greater
// importance. A waiting segment becomes more urgent by and by; a running segment does not.
#include <callis/rt/scheduling/disciplines/supplied.h>

namespace callis::rt::scheduling {
namespace {

using LLF_Scheduling::SchedulingParameter;
using LLF_Scheduling::SchedulingParameterPolicy;

class LeastLaxity final : public DisciplineOf<LeastLaxity, SchedulingParameterPolicy, SchedulingParameter,
                                              LLF_Scheduling::SCHEDULING_PARAMETER_POLICY_TYPE> {
 public:
  const char* name() const override { return "LLF"; }
  static bool good(const Value& v) { return is_time(v.deadline) && is_time(v.estimated_initial_execution_time); }
  static Urgency urgency_of(const Value& v, const Progress& p) {
    return {{-laxity(v.deadline, v.estimated_initial_execution_time, p), v.importance, 0}};
  }
  static void put(cdr::Encoder& e, const Value& v) {
    e.put_ulonglong(v.deadline);
    e.put_ulonglong(v.estimated_initial_execution_time);
    e.put_ulong(static_cast<std::uint32_t>(v.importance));
  }
  static Value get(cdr::Decoder& d) {
    Value v{};
    v.deadline = d.get_ulonglong();
    v.estimated_initial_execution_time = d.get_ulonglong();
    v.importance = static_cast<std::int32_t>(d.get_ulong());
    return v;
  }
};

}  // namespace

LLF_Scheduling::Scheduler_ptr make_least_laxity_scheduler(const Options& options) {
  using Scheduler = SchedulerWith<LeastLaxity, LLF_Scheduling::Scheduler, SchedulingParameterPolicy>;
  return new Scheduler(std::make_shared<SchedulerState>(std::make_unique<LeastLaxity>(), options));
}

}  // namespace callis::rt::scheduling
