// SPDX-License-Identifier: Apache-2.0
// SchedulingService: a model and its last schedule as a CORBA object (CallisScheduling.idl).
//
// Any thread. Who registers and reads waits for nobody who computes: a computation is of a copy of the model, and
// texts are of the copy. One computation or text is made at a time, for about a third of a second at most
// (kServiceBounds). Who waits for his turn longer than kOperationTime gets NO_RESOURCES. If the model changes before
// a computation is done, compute() answers with it, and nothing is scheduled.
#pragma once
#include <callis/corba.h>
#include <callis/portable_server.h>
#include <services/scheduling/schedule.h>
#include <chrono>
#include <memory>
#include <mutex>
#include <vector>
#include "CallisScheduling_skel.h"

namespace callis::scheduling {

// Of what clients register.
inline constexpr Bounds kServiceBounds{
    .infos = 10'000, .dependencies = 50'000, .streams = 50'000, .locks = 50'000, .steps = 30'000'000};

inline constexpr std::chrono::seconds kOperationTime{20};

class SchedulingService final : public virtual POA_CallisScheduling::Scheduler {
 public:
  // model: what is there from the beginning.
  explicit SchedulingService(Model model = Model(kServiceBounds));

  CallisScheduling::Handle create(const CallisScheduling::RtInfo& info) override;
  void set(CallisScheduling::Handle info, const CallisScheduling::RtInfo& now) override;
  void remove(CallisScheduling::Handle info) override;
  CallisScheduling::Handle lookup(const char* entry_point) override;
  CallisScheduling::RtInfo* get(CallisScheduling::Handle info) override;
  void add_dependency(const CallisScheduling::Dependency& what) override;
  CallisScheduling::Dependencies* dependencies_of(CallisScheduling::Handle info) override;
  CallisScheduling::Summary* compute(const CallisScheduling::Options& how) override;
  CallisScheduling::Summary* last() override;
  CallisScheduling::Result* result_of(CallisScheduling::Handle info) override;
  CallisScheduling::Results* results_behind(CallisScheduling::Handle last_seen) override;
  char* text(CallisScheduling::Report which) override;
  CallisScheduling::Parameters dynamic_parameters(const char* entry_point) override;

 private:
  struct Computed {
    Model model;
    Schedule schedule;
  };
  using Turn = std::unique_lock<std::timed_mutex>;
  Turn take_turn();
  void changed();  // with the lock held
  // With the lock held. These throw the IDL's exceptions.
  Index index_of(CallisScheduling::Handle handle) const;
  const Schedule& schedule() const;
  void fill(CallisScheduling::Result& to, Index from) const;
  static CallisScheduling::Summary* summary(const Schedule& of);

  std::timed_mutex computing_;  // of who computes or writes a text; before mutex_
  std::mutex mutex_;            // guards what follows; held for moments
  Model model_;
  std::uint64_t revision_ = 0;  // changes of the model
  std::vector<CallisScheduling::Handle> handles_;  // of each RT_Info; they rise
  CallisScheduling::Handle next_ = 1;
  std::shared_ptr<const Computed> computed_;  // nothing: not computed since the last change
};

// Makes the adapter "SchedulingService" below the root, which is persistent, activates the service in it, and
// registers it as the initial reference of that name, which is its key in corbaloc URLs as well.
CORBA::Object_var serve(CORBA::ORB_ptr orb, SchedulingService& service);

}  // namespace callis::scheduling
