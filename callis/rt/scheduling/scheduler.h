// SPDX-License-Identifier: Apache-2.0
// RTScheduling::Scheduler: what all schedulers have in common.
#pragma once
#include <callis/rt/scheduling/engine.h>

namespace callis::rt::scheduling {

// How use_scheduler() knows a scheduler of callis's.
class HasEngine {
 public:
  virtual const std::shared_ptr<Engine>& engine() const = 0;

 protected:
  ~HasEngine() = default;
};

CORBA::PolicyList* policies_of(const Engine& engine);
void set_policies(Engine& engine, const CORBA::PolicyList& policies);
RTScheduling::ResourceManager_ptr create_resource_manager(const std::shared_ptr<Engine>& engine, const char* name,
                                                          CORBA::Policy_ptr parameter);
void set_servant_parameter(Engine& engine, PortableServer::Servant servant, CORBA::Policy_ptr parameter);

// Interface: RTScheduling::Scheduler, or one derived from it, whose further operations the derived class has.
template <class Interface>
class SchedulerOf : public Interface, public HasEngine {
 public:
  explicit SchedulerOf(std::shared_ptr<Engine> engine) : engine_(std::move(engine)) {}
  const std::shared_ptr<Engine>& engine() const override { return engine_; }

  // The parameter of segments that are given none.
  CORBA::PolicyList* scheduling_policies() override { return policies_of(*engine_); }
  // One policy of the discipline; INCOMPATIBLE_SCHEDULING_DISCIPLINES.
  void scheduling_policies(const CORBA::PolicyList& p) override { set_policies(*engine_, p); }
  // None: adapters need no policies.
  CORBA::PolicyList* poa_policies() override { return new CORBA::PolicyList; }
  char* scheduling_discipline_name() override { return CORBA::string_dup(engine_->discipline().name()); }
  RTScheduling::ResourceManager_ptr create_resource_manager(const char* name,
                                                            CORBA::Policy_ptr parameter) override {
    return scheduling::create_resource_manager(engine_, name, parameter);
  }
  // Nil: no longer. The scheduler keeps a count of the servant until then, or until it ends.
  void set_scheduling_parameter(PortableServer::Servant& resource, const char*,
                                CORBA::Policy_ptr parameter) override {
    set_servant_parameter(*engine_, resource, parameter);
  }

 private:
  const std::shared_ptr<Engine> engine_;
};

}  // namespace callis::rt::scheduling
