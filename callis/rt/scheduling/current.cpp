// SPDX-License-Identifier: Apache-2.0
// RTScheduling::Current: segments of the calling thread, and new threads.
#include <callis/base/log.h>
#include <callis/rt/priorities/priorities.h>
#include <callis/rt/scheduling/current.h>
#include <callis/rt/scheduling/minor_codes.h>
#include <callis/rt/scheduling/thread_part.h>
#include <algorithm>
#include <climits>
#include <cstring>
#include <exception>
#include <latch>
#include <unistd.h>

namespace callis::rt::scheduling {
namespace {

class Current final : public RTScheduling::Current {
 public:
  explicit Current(std::shared_ptr<SchedulerState> state) : state_(std::move(state)) {}

  RTScheduling::DistributableThread_ptr spawn(RTScheduling::ThreadAction_ptr start, CORBA::VoidData data,
                                              const char* name, CORBA::Policy_ptr sched_param,
                                              CORBA::Policy_ptr implicit_sched_param, CORBA::ULong stack_size,
                                              CORBA::Short base_priority) override;
  void begin_scheduling_segment(const char* name, CORBA::Policy_ptr sched_param,
                                CORBA::Policy_ptr implicit_sched_param) override;
  void update_scheduling_segment(const char* name, CORBA::Policy_ptr sched_param,
                                 CORBA::Policy_ptr implicit_sched_param) override;
  void end_scheduling_segment(const char* name) override;

  IdType* id() override;
  RTScheduling::DistributableThread_ptr lookup(const IdType& id) override;
  CORBA::Policy_ptr scheduling_parameter() override {
    const ThreadPart* const part = mine();
    return part ? state_->policy_of(part->innermost_segment().parameter) : nullptr;
  }
  CORBA::Policy_ptr implicit_scheduling_parameter() override {
    const ThreadPart* const part = mine();
    return part ? state_->policy_of(part->innermost_segment().implicit) : nullptr;
  }
  NameList* current_scheduling_segment_names() override;

  RTCORBA::Priority the_priority() override { return priorities_->the_priority(); }
  void the_priority(RTCORBA::Priority priority) override;
  void set_priorities(RTCORBA::Current_ptr of_the_orb) {
    priorities_ = RTCORBA::Current::_duplicate(of_the_orb);
  }

 private:
  ThreadPart* mine() const { return ThreadPart::current(*state_); }
  // Returns the part whose innermost segment the application has begun. Raises BAD_INV_ORDER, THREAD_CANCELLED.
  ThreadPart& own_segment(const char* what) const;

  const std::shared_ptr<SchedulerState> state_;
  RTCORBA::Current_var priorities_;
};

void Current::begin_scheduling_segment(const char* name, CORBA::Policy_ptr sched_param,
                                       CORBA::Policy_ptr implicit_sched_param) {
  ThreadPart* const part = mine();
  if (part) part->check();
  Segment s{checked_name(name), state_->parameter_of(sched_param), state_->parameter_of(implicit_sched_param)};
  forget_cancelled_ends();
  if (part) {
    const Segment& outer = part->innermost_segment();
    if (!s.parameter) s.parameter = outer.parameter;
    if (!s.implicit) s.implicit = outer.implicit;
    return part->begin_segment(std::move(s));
  }
  if (!s.parameter) s.parameter = state_->usual();
  ThreadPart::begin(state_, state_->threads().hold(new_thread_id()), Origin::Application, std::move(s)).enter();
}

ThreadPart& Current::own_segment(const char* what) const {
  ThreadPart* const part = mine();
  if (!part && take_cancelled_end(*state_)) throw_cancelled();
  if (!part) orb::raise<CORBA::BAD_INV_ORDER>(kNoSegment, CORBA::COMPLETED_NO, what);
  if (part->origin() != Origin::Application && part->segments().size() == 1) {
    if (take_cancelled_end(*state_)) throw_cancelled();
    orb::raise<CORBA::BAD_INV_ORDER>(kNoSegment, CORBA::COMPLETED_NO, what);
  }
  return *part;
}

void Current::update_scheduling_segment(const char* name, CORBA::Policy_ptr sched_param,
                                        CORBA::Policy_ptr implicit_sched_param) {
  ThreadPart* const part = mine();
  if (!part) {
    if (has_cancelled_ends(*state_)) throw_cancelled();
    orb::raise<CORBA::BAD_INV_ORDER>(kNoSegment, CORBA::COMPLETED_NO,
                                     "update_scheduling_segment() outside scheduling segments");
  }
  part->check();
  Segment s{checked_name(name), state_->parameter_of(sched_param), state_->parameter_of(implicit_sched_param)};
  const Segment& now = part->innermost_segment();
  if (s.name.empty()) s.name = now.name;
  if (!s.parameter) s.parameter = now.parameter;
  if (!s.implicit) s.implicit = now.implicit;
  part->update_segment(std::move(s));
}

void Current::end_scheduling_segment(const char* name) {
  ThreadPart& part = own_segment("end_scheduling_segment() without a segment that the application has begun");
  part.check();
  const std::string& innermost = part.innermost_segment().name;
  if (name && *name && innermost != name)
    orb::raise<CORBA::BAD_INV_ORDER>(kOtherSegment, CORBA::COMPLETED_NO,
                                     "end_scheduling_segment() with another name than the innermost segment's");
  if (part.origin() == Origin::Application && part.segments().size() == 1) ThreadPart::end(part);
  else part.end_segment();
}

RTScheduling::Current::IdType* Current::id() {
  auto result = std::make_unique<IdType>();
  if (const ThreadPart* const part = mine()) {
    const ThreadId& id = part->thread().id();
    result->length(static_cast<CORBA::ULong>(id.size()));
    std::memcpy(result->get_buffer(), id.data(), id.size());
  }
  return result.release();
}

RTScheduling::DistributableThread_ptr Current::lookup(const IdType& id) {
  ThreadId wanted;
  if (id.length() != wanted.size()) return nullptr;
  std::memcpy(wanted.data(), id.get_buffer(), wanted.size());
  return state_->threads().find(wanted)._retn();
}

RTScheduling::Current::NameList* Current::current_scheduling_segment_names() {
  auto result = std::make_unique<NameList>();
  if (const ThreadPart* const part = mine()) {
    const auto& segments = part->segments();
    result->length(static_cast<CORBA::ULong>(segments.size()));
    CORBA::ULong i = 0;
    for (auto s = segments.rbegin(); s != segments.rend(); ++s) (*result)[i++] = s->name.c_str();
  }
  return result.release();
}

// In a segment of a native order the thread's native priority is the scheduler's to set, so the number alone changes.
void Current::the_priority(RTCORBA::Priority priority) {
  if (!mine() || !state_->gate().orders_natively()) return priorities_->the_priority(priority);
  if (priority < RTCORBA::minPriority)
    orb::raise<CORBA::BAD_PARAM>(kBadParameter, CORBA::COMPLETED_NO, "a priority that is not in 0 to 32767");
  set_thread_priority(priority);
  forget_native();
}

// --- Spawned threads ---

struct Start {
  std::shared_ptr<SchedulerState> state;
  DistributableThread_var thread;
  RTScheduling::ThreadAction_var action;
  CORBA::VoidData data;
  Segment first;
  std::shared_ptr<std::latch> announced;  // spawn() waits for it
};

void run(Start& start) {
  ThreadPart& part = ThreadPart::begin(start.state, start.thread, Origin::Spawned, std::move(start.first));
  part.announce();
  start.announced->count_down();
  try {
    part.enter();
    start.action.in()->_cxx_do(start.data);
  } catch (const CORBA::THREAD_CANCELLED&) {  // is over, as it was to be
  } catch (const CORBA::Exception& e) {
    log(LogLevel::Error, {"a spawned distributable thread ended with ", e.what()});
  } catch (const std::exception& e) {
    log(LogLevel::Error, {"a spawned distributable thread ended with a C++ exception: ", e.what()});
  }
  ThreadPart::end(part);
}

void* run_thread(void* p) {
  const std::unique_ptr<Start> start(static_cast<Start*>(p));
  ::pthread_setname_np(::pthread_self(), "callis-spawned");
  run(*start);
  return nullptr;
}

// Here, and not by callis::Thread, since that has no size of stacks. 0 or an errno.
int start_thread(std::unique_ptr<Start> start, std::size_t stack_bytes) {
  pthread_attr_t attributes;
  if (const int error = ::pthread_attr_init(&attributes); error != 0) return error;
  int error = ::pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  if (error == 0 && stack_bytes != 0) {
    const std::size_t page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
    const std::size_t least = std::max(stack_bytes, static_cast<std::size_t>(PTHREAD_STACK_MIN));
    error = ::pthread_attr_setstacksize(&attributes, (least + page - 1) / page * page);
  }
  pthread_t thread{};
  if (error == 0) error = ::pthread_create(&thread, &attributes, &run_thread, start.get());
  if (error == 0) (void)start.release();  // it is the thread's now
  ::pthread_attr_destroy(&attributes);
  return error;
}

RTScheduling::DistributableThread_ptr Current::spawn(RTScheduling::ThreadAction_ptr start, CORBA::VoidData data,
                                                     const char* name, CORBA::Policy_ptr sched_param,
                                                     CORBA::Policy_ptr implicit_sched_param, CORBA::ULong stack_size,
                                                     CORBA::Short base_priority) {
  ThreadPart* const part = mine();
  if (part) part->check();
  if (!start) orb::raise<CORBA::BAD_PARAM>(kBadParameter, CORBA::COMPLETED_NO, "spawn() with a nil ThreadAction");
  if (base_priority < 0)
    orb::raise<CORBA::BAD_PARAM>(kBadParameter, CORBA::COMPLETED_NO, "spawn() with a negative base_priority");
  Segment s{checked_name(name), state_->parameter_of(sched_param), state_->parameter_of(implicit_sched_param)};
  if (!s.parameter) s.parameter = state_->discipline().of_priority(base_priority);
  if (!s.parameter && part) s.parameter = part->innermost_segment().implicit;
  if (!s.parameter) s.parameter = part ? part->innermost_segment().parameter : state_->usual();
  const auto announced = std::make_shared<std::latch>(1);
  auto all = std::make_unique<Start>(
      Start{state_, {}, RTScheduling::ThreadAction::_duplicate(start), data, std::move(s), announced});
  const DistributableThread_var thread = state_->threads().hold(new_thread_id());
  all->thread = thread;
  if (const int error = start_thread(std::move(all), stack_size); error != 0) {
    state_->threads().release(*thread.in());
    const std::string why = std::string("spawn() got no native thread: ") + std::strerror(error);
    orb::raise<CORBA::NO_RESOURCES>(kNoThread, CORBA::COMPLETED_NO, why.c_str());
  }
  announced->wait();
  DistributableThread_var result = thread;
  if (part && state_->gate().point(part->entry()) == Gate::Outcome::Cancelled) part->raise_cancelled();
  return result._retn();
}

}  // namespace

RTScheduling::Current_ptr make_current(std::shared_ptr<SchedulerState> state) {
  return new Current(std::move(state));
}

void set_priorities(RTScheduling::Current_ptr current, RTCORBA::Current_ptr of_the_orb) {
  if (auto* const ours = dynamic_cast<Current*>(current)) ours->set_priorities(of_the_orb);
}

}  // namespace callis::rt::scheduling
