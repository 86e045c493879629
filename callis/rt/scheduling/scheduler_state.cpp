// SPDX-License-Identifier: Apache-2.0
// Makes the parts of a scheduler, and its parameters.
#include <callis/base/log.h>
#include <callis/base/text.h>
#include <callis/orb/base/errors.h>
#include <callis/orb/base/utc.h>
#include <callis/rt/scheduling/minor_codes.h>
#include <callis/rt/scheduling/scheduler_state.h>
#include <algorithm>
#include <cstring>
#include <sched.h>
#include <thread>

namespace callis::rt::scheduling {
namespace {

class SystemTime final : public TimeSource {
 public:
  Ticks now() const override { return static_cast<Ticks>(orb::utc_now()); }
};

std::uint64_t next_number() {
  static std::atomic<std::uint64_t> last{0};
  return ++last;
}

constexpr const char* kHowToPermit =
    "; give it CAP_SYS_NICE, or RLIMIT_RTPRIO (ulimit -r) of the highest priority, or use Options::Order::Turns";

Gate::Options gate_options(const Options& o) {
  Gate::Options g;
  g.places = o.places != 0 ? o.places : std::max(1u, std::thread::hardware_concurrency());
  g.lowest = o.lowest_native;
  g.highest = o.highest_native;
  if (o.order == Options::Order::Turns) return g;
  const int least = ::sched_get_priority_min(SCHED_FIFO), most = ::sched_get_priority_max(SCHED_FIFO);
  if (g.lowest < least || g.highest > most || g.lowest > g.highest)
    orb::raise<CORBA::BAD_PARAM>(kBadParameter, CORBA::COMPLETED_NO,
                                 "native priorities of a scheduler that SCHED_FIFO does not have, or the lowest is "
                                 "above the highest");
  const int error = may_run_fifo(g.highest);
  g.native = error == 0;
  if (g.native) return g;
  const std::string why = concat({"this process may not use SCHED_FIFO with priority ", std::to_string(g.highest),
                                  ": ", std::strerror(error), kHowToPermit});
  if (o.order == Options::Order::Native) orb::raise<CORBA::INITIALIZE>(kNoRealTime, CORBA::COMPLETED_NO, why.c_str());
  log(LogLevel::Warning, {"scheduling segments take turns: ", why});
  return g;
}

}  // namespace

const TimeSource& TimeSource::system() {
  static const SystemTime time;
  return time;
}

SchedulerState::SchedulerState(std::unique_ptr<const Discipline> discipline, const Options& options)
    : number_(next_number()), discipline_(std::move(discipline)), options_(options),
      gate_(*discipline_, options.time ? *options.time : TimeSource::system(), gate_options(options)),
      usual_(discipline_->usual()) {}

ParameterPtr SchedulerState::parameter_of(CORBA::Policy_ptr policy) const {
  if (!policy) return nullptr;
  ParameterPtr p = discipline_->parameter_of(policy);
  if (!p) throw RTScheduling::Current::UNSUPPORTED_SCHEDULING_DISCIPLINE();
  return p;
}

ParameterPtr SchedulerState::usual() const {
  const std::lock_guard lock(mutex_);
  return usual_;
}

void SchedulerState::set_usual(ParameterPtr p) {
  const std::lock_guard lock(mutex_);
  usual_.swap(p);
}

void SchedulerState::set_floor(PortableServer::Servant servant, ParameterPtr floor) {
  Floor before;  // let go without the lock
  const std::lock_guard lock(mutex_);
  if (const auto at = floors_.find(servant); at != floors_.end()) {
    before = std::move(at->second);
    floors_.erase(at);
  }
  if (floor) {
    servant->_add_ref();
    floors_[servant] = {PortableServer::ServantBase_var(servant), std::move(floor)};
  }
  has_floors_.store(!floors_.empty(), std::memory_order_relaxed);
}

ParameterPtr SchedulerState::floor_of(PortableServer::Servant servant) const {
  const std::lock_guard lock(mutex_);
  const auto at = floors_.find(servant);
  return at == floors_.end() ? nullptr : at->second.parameter;
}

std::string checked_name(const char* name) {
  const std::string_view text = name ? name : "";
  if (text.size() > kMostNameBytes)
    orb::raise<CORBA::BAD_PARAM>(kBadName, CORBA::COMPLETED_NO, "a name of more than 255 characters");
  return std::string(text);
}

TimeBase::TimeT from_now(std::chrono::nanoseconds span) {
  const Ticks now = TimeSource::system().now();
  return static_cast<TimeBase::TimeT>(std::clamp<Ticks>(now + span.count() / 100, 0, kMostTicks));
}

}  // namespace callis::rt::scheduling
