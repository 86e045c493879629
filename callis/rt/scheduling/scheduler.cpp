// SPDX-License-Identifier: Apache-2.0
// The operations of schedulers, and the ORBs that have one.
#include <callis/rt/scheduling/current.h>
#include <callis/rt/scheduling/interceptors.h>
#include <callis/rt/scheduling/minor_codes.h>
#include <callis/rt/scheduling/resource_manager.h>
#include <callis/rt/scheduling/scheduler.h>
#include <callis/rt/scheduling/thread_part.h>
#include <mutex>

namespace callis::rt::scheduling {
namespace {

namespace PI = PortableInterceptor;

// The parameter of a policy that an operation without user exceptions is given.
ParameterPtr parameter_in(const SchedulerState& state, CORBA::Policy_ptr policy, const char* what) {
  try {
    return state.parameter_of(policy);
  } catch (const RTScheduling::Current::UNSUPPORTED_SCHEDULING_DISCIPLINE&) {
    orb::raise<CORBA::BAD_PARAM>(kBadParameter, CORBA::COMPLETED_NO, what);
  }
}

// The process's scheduler for ORBs that are made from now on.
class InUse final {
 public:
  void set(RTScheduling::Scheduler_ptr scheduler) {
    RTScheduling::Scheduler_var next = RTScheduling::Scheduler::_duplicate(scheduler);
    const std::lock_guard lock(mutex_);
    std::swap(scheduler_.inout(), next.inout());
  }
  RTScheduling::Scheduler_var get() const {
    const std::lock_guard lock(mutex_);
    return scheduler_;
  }

 private:
  mutable std::mutex mutex_;
  RTScheduling::Scheduler_var scheduler_;
};
InUse& in_use() {
  static auto* const it = new InUse;  // ORBs may be made until the process ends
  return *it;
}

class Initializer final : public PI::ORBInitializer {
 public:
  void pre_init(PI::ORBInitInfo_ptr info) override {
    const RTScheduling::Scheduler_var scheduler = in_use().get();
    const auto* const ours = dynamic_cast<const HasState*>(scheduler.in());
    if (!ours) return;
    const std::shared_ptr<SchedulerState>& state = ours->state();
    const RTScheduling::Current_var current = make_current(state);
    info->register_initial_reference("RTScheduler", scheduler.in());
    info->register_initial_reference("RTScheduler_Current", current.in());
    const PI::ClientRequestInterceptor_var client = make_client_interceptor(state);
    info->add_client_request_interceptor(client.in());
    const PI::ServerRequestInterceptor_var server = make_server_interceptor(state);
    info->add_server_request_interceptor(server.in());
  }
  void post_init(PI::ORBInitInfo_ptr info) override {
    CORBA::Object_var object;
    try {
      object = info->resolve_initial_references("RTScheduler_Current");
    } catch (const PI::ORBInitInfo::InvalidName&) {
      return;  // an ORB without a scheduler
    }
    const RTScheduling::Current_var current = RTScheduling::Current::_narrow(object.in());
    object = info->resolve_initial_references("RTCurrent");
    const RTCORBA::Current_var priorities = RTCORBA::Current::_narrow(object.in());
    set_priorities(current.in(), priorities.in());
  }
};

class AnyScheduler final : public SchedulerOf<RTScheduling::Scheduler> {
 public:
  using SchedulerOf::SchedulerOf;
};

}  // namespace

CORBA::PolicyList* policies_of(const SchedulerState& state) {
  auto list = std::make_unique<CORBA::PolicyList>();
  list->length(1);
  (*list)[0] = state.policy_of(state.usual());
  return list.release();
}

void set_policies(SchedulerState& state, const CORBA::PolicyList& policies) {
  if (policies.length() != 1 || !policies[0])
    throw RTScheduling::Scheduler::INCOMPATIBLE_SCHEDULING_DISCIPLINES();
  try {
    state.set_usual(state.parameter_of(policies[0]));
  } catch (const RTScheduling::Current::UNSUPPORTED_SCHEDULING_DISCIPLINE&) {
    throw RTScheduling::Scheduler::INCOMPATIBLE_SCHEDULING_DISCIPLINES();
  }
}

RTScheduling::ResourceManager_ptr create_resource_manager(const std::shared_ptr<SchedulerState>& state,
                                                          const char* name, CORBA::Policy_ptr parameter) {
  ParameterPtr ceiling =
      parameter_in(*state, parameter, "create_resource_manager() with a parameter of another discipline");
  return make_resource_manager(state, checked_name(name), std::move(ceiling));
}

void set_servant_parameter(SchedulerState& state, PortableServer::Servant servant, CORBA::Policy_ptr parameter) {
  if (!servant)
    orb::raise<CORBA::BAD_PARAM>(kBadParameter, CORBA::COMPLETED_NO, "set_scheduling_parameter() of a nil servant");
  state.set_floor(servant, parameter_in(state, parameter,
                                         "set_scheduling_parameter() with another discipline's parameter"));
}

RTScheduling::Scheduler_ptr make_scheduler(std::unique_ptr<const Discipline> discipline, const Options& options) {
  if (!discipline)
    orb::raise<CORBA::BAD_PARAM>(kBadParameter, CORBA::COMPLETED_NO, "a scheduler without a discipline");
  return new AnyScheduler(std::make_shared<SchedulerState>(std::move(discipline), options));
}

void use_scheduler(RTScheduling::Scheduler_ptr scheduler) {
  if (scheduler && !dynamic_cast<HasState*>(scheduler))
    orb::raise<CORBA::BAD_PARAM>(kOtherScheduler, CORBA::COMPLETED_NO,
                                 "use_scheduler() with a scheduler that callis has not made; derive a Discipline, "
                                 "and make one by make_scheduler()");
  in_use().set(scheduler);
  static const bool registered = [] {
    const PI::ORBInitializer_var initializer = new Initializer;
    PI::register_orb_initializer(initializer.in());
    return true;
  }();
  (void)registered;
}

Waiting::Waiting() {
  if (ThreadPart* const part = ThreadPart::innermost()) part->leave();
}

// Cancelled ones hear of it at their next scheduling point.
Waiting::~Waiting() {
  if (ThreadPart* const part = ThreadPart::innermost()) (void)part->state().gate().enter(part->entry());
}

}  // namespace callis::rt::scheduling
