// SPDX-License-Identifier: Apache-2.0
#include <callis/rt/scheduling/minor_codes.h>
#include <callis/rt/scheduling/resource_manager.h>
#include <callis/rt/scheduling/thread_part.h>

namespace callis::rt::scheduling {
namespace {

class Manager final : public RTScheduling::ResourceManager {
 public:
  Manager(std::shared_ptr<SchedulerState> state, std::string name, ParameterPtr ceiling)
      : state_(std::move(state)), name_(std::move(name)), resource_(std::move(ceiling)) {}

  ~Manager() override { state_->gate().forget(resource_); }

  void lock() override { (void)take(TimePoint::max()); }
  void unlock() override {
    ThreadPart* const part = ThreadPart::current(*state_);
    if (!state_->gate().unlock(resource_, part ? &part->entry() : nullptr))
      wrong("unlock() by a thread that does not hold ");
  }
  CORBA::Boolean try_lock(TimeBase::TimeT max_wait) override {
    return take(max_wait == 0 ? TimePoint::min() : moment_after(max_wait));
  }

 private:
  static TimePoint moment_after(TimeBase::TimeT wait) {
    using Wait = std::chrono::duration<std::int64_t, std::ratio<1, 10'000'000>>;
    const TimePoint now = Clock::steady().now();
    const auto most = std::chrono::duration_cast<Wait>(TimePoint::max() - now).count();
    if (wait >= static_cast<TimeBase::TimeT>(most)) return TimePoint::max();
    return now + Wait(static_cast<std::int64_t>(wait));
  }
  [[noreturn]] void wrong(std::string_view what) const {
    orb::raise<CORBA::BAD_INV_ORDER>(kLockOrder, CORBA::COMPLETED_NO,
                                     std::string(what) + "resource manager " + name_);
  }
  bool take(TimePoint until) {
    ThreadPart* const part = ThreadPart::current(*state_);
    if (part) part->check();
    switch (state_->gate().lock(resource_, part ? &part->entry() : nullptr, until)) {
      case Gate::Outcome::Done: return true;
      case Gate::Outcome::TimedOut: return false;
      case Gate::Outcome::Cancelled: part->raise_cancelled();
      case Gate::Outcome::Held: break;
    }
    wrong("lock() by the thread that holds ");
  }

  const std::shared_ptr<SchedulerState> state_;
  const std::string name_;
  Resource resource_;
};

}  // namespace

RTScheduling::ResourceManager_ptr make_resource_manager(std::shared_ptr<SchedulerState> state, std::string name,
                                                        ParameterPtr ceiling) {
  return new Manager(std::move(state), std::move(name), std::move(ceiling));
}

}  // namespace callis::rt::scheduling
