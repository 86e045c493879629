// SPDX-License-Identifier: Apache-2.0
// SchedulerState: what one scheduler consists of. It lives as long as the scheduler, an ORB with it, or a segment.
#pragma once
#include <callis/rt/scheduling/distributable_thread.h>
#include <callis/rt/scheduling/gate.h>
#include <map>

namespace callis::rt::scheduling {

class SchedulerState final : public std::enable_shared_from_this<SchedulerState> {
 public:
  // INITIALIZE, BAD_PARAM: as the functions of rt_scheduling.h say.
  SchedulerState(std::unique_ptr<const Discipline> discipline, const Options& options);

  // No other one of the process has had it.
  std::uint64_t number() const { return number_; }
  const Discipline& discipline() const { return *discipline_; }
  Gate& gate() { return gate_; }
  DistributableThreads& threads() { return *threads_; }
  bool believes_everybody() const { return !options_.believes; }
  bool believes(const transport::Peer& peer) const { return options_.believes(peer); }

  // Returns nullptr for nil. Raises UNSUPPORTED_SCHEDULING_DISCIPLINE for a policy of another discipline; BAD_PARAM.
  ParameterPtr parameter_of(CORBA::Policy_ptr policy) const;
  // Returns nil for nullptr. The caller owns the result.
  CORBA::Policy_ptr policy_of(const ParameterPtr& p) const { return p ? discipline_->policy_of(p) : nullptr; }

  // Returns the parameter of segments that are given none.
  ParameterPtr usual() const;
  void set_usual(ParameterPtr p);

  // Upcalls of the servant are that urgent at least; nullptr: no longer. Keeps a count of the servant meanwhile.
  void set_floor(PortableServer::Servant servant, ParameterPtr floor);
  bool has_floors() const { return has_floors_.load(std::memory_order_relaxed); }
  ParameterPtr floor_of(PortableServer::Servant servant) const;

 private:
  struct Floor {
    PortableServer::ServantBase_var servant;
    ParameterPtr parameter;
  };
  const std::uint64_t number_;
  const std::unique_ptr<const Discipline> discipline_;
  const Options options_;
  Gate gate_;
  const std::shared_ptr<DistributableThreads> threads_ = std::make_shared<DistributableThreads>();
  std::atomic<bool> has_floors_{false};
  mutable MutexWithInheritance mutex_;  // guards what follows
  ParameterPtr usual_;
  std::map<PortableServer::Servant, Floor> floors_;
};

// BAD_PARAM beyond kMostNameBytes; "" for nullptr.
inline constexpr std::size_t kMostNameBytes = 255;
std::string checked_name(const char* name);

}  // namespace callis::rt::scheduling
