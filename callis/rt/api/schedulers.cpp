// SPDX-License-Identifier: Apache-2.0
// RTCosScheduling: priorities of threads and objects by the names of a plan.
#include <callis/orb/base/errors.h>
#include <callis/rt/base/minor_codes.h>
#include <callis/rt/schedulers.h>
#include <algorithm>
#include <mutex>
#include <vector>

namespace callis::rt {
namespace {

using PortableServer::POA_ptr;

RTCORBA::Priority priority_of(const Plan& plan, const char* name) {
  const auto found = plan.priorities.find(std::string_view(name ? name : ""));
  if (found == plan.priorities.end()) throw RTCosScheduling::UnknownName();
  return found->second;
}

template <class T>
typename T::_var_type initial(CORBA::ORB_ptr orb, const char* name) {
  const CORBA::Object_var object = orb->resolve_initial_references(name);
  return T::_narrow(object.in());
}

class ClientScheduler final : public RTCosScheduling::ClientScheduler {
 public:
  ClientScheduler(CORBA::ORB_ptr orb, Plan plan)
      : plan_(std::move(plan)), current_(initial<RTCORBA::Current>(orb, "RTCurrent")) {}

  void schedule_activity(const char* activity_name) override {
    current_->the_priority(priority_of(plan_, activity_name));
  }

 private:
  const Plan plan_;
  const RTCORBA::Current_var current_;
};

class ServerScheduler final : public RTCosScheduling::ServerScheduler {
 public:
  ServerScheduler(CORBA::ORB_ptr orb, Plan plan)
      : plan_(std::move(plan)), rtorb_(initial<RTCORBA::RTORB>(orb, "RTORB")) {}

  POA_ptr create_POA(POA_ptr parent, const char* adapter_name, PortableServer::POAManager_ptr manager,
                     const CORBA::PolicyList& policies) override;
  void schedule_object(CORBA::Object_ptr object, const char* name) override;

 private:
  // An adapter of this scheduler.
  struct Made {
    PortableServer::POA_var poa;
    bool declares;  // SERVER_DECLARED
  };
  RTCORBA::ThreadpoolId pool();  // under the mutex

  const Plan plan_;
  const RTCORBA::RTORB_var rtorb_;
  std::mutex mutex_;  // guards what follows
  RTCORBA::ThreadpoolId pool_ = 0;
  std::vector<Made> made_;
};

RTCORBA::ThreadpoolId ServerScheduler::pool() {
  if (pool_ == 0) pool_ = rtorb_->create_threadpool_with_lanes(0, plan_.lanes, false, false, 0, 0);
  return pool_;
}

POA_ptr ServerScheduler::create_POA(POA_ptr parent, const char* adapter_name, PortableServer::POAManager_ptr manager,
                                    const CORBA::PolicyList& policies) {
  if (CORBA::is_nil(parent)) raise<CORBA::BAD_PARAM>(kBadPlan, CORBA::COMPLETED_NO, "create_POA() with a nil parent");
  CORBA::PolicyList all = policies;
  const auto add = [&all](CORBA::Policy_ptr policy) {
    all.length(all.length() + 1);
    all[all.length() - 1] = policy;
  };
  bool has_model = false, declares = true;
  for (CORBA::ULong i = 0; i < policies.length(); ++i) {
    if (CORBA::is_nil(policies[i])) continue;
    if (policies[i]->policy_type() == RTCORBA::THREADPOOL_POLICY_TYPE)
      throw PortableServer::POA::InvalidPolicy(static_cast<CORBA::UShort>(i));
    if (policies[i]->policy_type() != RTCORBA::PRIORITY_MODEL_POLICY_TYPE) continue;
    const auto model = RTCORBA::PriorityModelPolicy_var(RTCORBA::PriorityModelPolicy::_narrow(policies[i]));
    has_model = true;
    declares = !CORBA::is_nil(model.in()) && model->priority_model() == RTCORBA::SERVER_DECLARED;
  }
  const std::lock_guard lock(mutex_);
  add(rtorb_->create_threadpool_policy(pool()));
  if (!has_model) {
    const auto* const lanes = plan_.lanes.get_buffer();
    const auto lowest = std::min_element(lanes, lanes + plan_.lanes.length(), [](const auto& a, const auto& b) {
      return a.lane_priority < b.lane_priority;
    });
    add(rtorb_->create_priority_model_policy(RTCORBA::SERVER_DECLARED, lowest->lane_priority));
  }
  PortableServer::POA_var poa = parent->create_POA(adapter_name, manager, all);
  made_.push_back({poa, declares});
  return poa._retn();
}

void ServerScheduler::schedule_object(CORBA::Object_ptr object, const char* name) {
  const RTCORBA::Priority priority = priority_of(plan_, name);
  std::vector<Made> made;
  {
    const std::lock_guard lock(mutex_);
    made = made_;
  }
  for (const Made& m : made) {
    PortableServer::ObjectId_var id;
    try {
      id = m.poa->reference_to_id(object);
    } catch (const PortableServer::POA::WrongAdapter&) {
      continue;
    } catch (const CORBA::OBJECT_NOT_EXIST&) {  // that adapter has been destroyed
      continue;
    }
    if (!m.declares) return;
    const RTPortableServer::POA_var poa = RTPortableServer::POA::_narrow(m.poa.in());
    const CORBA::Object_var same = poa->create_reference_with_id_and_priority(id.in(), "", priority);
    return;
  }
  raise<CORBA::BAD_PARAM>(kBadPlan, CORBA::COMPLETED_NO,
                          "schedule_object() of an object that no adapter of this scheduler has: make its adapter by "
                          "the scheduler's create_POA()");
}

}  // namespace

RTCosScheduling::ClientScheduler_ptr make_client_scheduler(CORBA::ORB_ptr orb, Plan plan) {
  return new ClientScheduler(orb, std::move(plan));
}

RTCosScheduling::ServerScheduler_ptr make_server_scheduler(CORBA::ORB_ptr orb, Plan plan) {
  return new ServerScheduler(orb, std::move(plan));
}

}  // namespace callis::rt
