// SPDX-License-Identifier: Apache-2.0
// RTScheduling::Scheduler: what all schedulers have in common.
#pragma once
#include <callis/rt/scheduling/scheduler_state.h>

namespace callis::rt::scheduling {

// use_scheduler() knows a scheduler of callis's by this base.
class HasState {
 public:
  virtual const std::shared_ptr<SchedulerState>& state() const = 0;

 protected:
  ~HasState() = default;
};

CORBA::PolicyList* policies_of(const SchedulerState& state);
void set_policies(SchedulerState& state, const CORBA::PolicyList& policies);
RTScheduling::ResourceManager_ptr create_resource_manager(const std::shared_ptr<SchedulerState>& state,
                                                          const char* name, CORBA::Policy_ptr parameter);
void set_servant_parameter(SchedulerState& state, PortableServer::Servant servant, CORBA::Policy_ptr parameter);

// Interface: RTScheduling::Scheduler, or one derived from it, whose further operations the derived class has.
template <class Interface>
class SchedulerOf : public Interface, public HasState {
 public:
  explicit SchedulerOf(std::shared_ptr<SchedulerState> state) : state_(std::move(state)) {}
  const std::shared_ptr<SchedulerState>& state() const override { return state_; }

  // The parameter of segments that are given none.
  CORBA::PolicyList* scheduling_policies() override { return policies_of(*state_); }
  // One policy of the discipline; INCOMPATIBLE_SCHEDULING_DISCIPLINES.
  void scheduling_policies(const CORBA::PolicyList& p) override { set_policies(*state_, p); }
  // Returns none: adapters need no policies.
  CORBA::PolicyList* poa_policies() override { return new CORBA::PolicyList; }
  char* scheduling_discipline_name() override { return CORBA::string_dup(state_->discipline().name()); }
  RTScheduling::ResourceManager_ptr create_resource_manager(const char* name,
                                                            CORBA::Policy_ptr parameter) override {
    return scheduling::create_resource_manager(state_, name, parameter);
  }
  // With nil the servant has no parameter any more. The scheduler keeps a count of the servant until then, or until
  // the scheduler ends.
  void set_scheduling_parameter(PortableServer::Servant& resource, const char*,
                                CORBA::Policy_ptr parameter) override {
    set_servant_parameter(*state_, resource, parameter);
  }

 private:
  const std::shared_ptr<SchedulerState> state_;
};

}  // namespace callis::rt::scheduling
