// SPDX-License-Identifier: Apache-2.0
// RTScheduling::Current: segments of the calling thread, and new threads.
#include <callis/base/log.h>
#include <callis/rt/scheduling/activation.h>
#include <callis/rt/scheduling/current.h>
#include <callis/rt/scheduling/minor_codes.h>
#include <algorithm>
#include <climits>
#include <cstring>
#include <exception>
#include <unistd.h>

namespace callis::rt::scheduling {
namespace {

class Current final : public RTScheduling::Current {
 public:
  explicit Current(std::shared_ptr<Engine> engine) : engine_(std::move(engine)) {}

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
    const Activation* const a = mine();
    return a ? engine_->policy_of(a->innermost_segment().parameter) : nullptr;
  }
  CORBA::Policy_ptr implicit_scheduling_parameter() override {
    const Activation* const a = mine();
    return a ? engine_->policy_of(a->innermost_segment().implicit) : nullptr;
  }
  NameList* current_scheduling_segment_names() override;

 private:
  Activation* mine() const { return Activation::current(*engine_); }
  // The one whose innermost segment the application has begun; BAD_INV_ORDER, THREAD_CANCELLED.
  Activation& own_segment(const char* what) const;

  const std::shared_ptr<Engine> engine_;
};

void Current::begin_scheduling_segment(const char* name, CORBA::Policy_ptr sched_param,
                                       CORBA::Policy_ptr implicit_sched_param) {
  Activation* const a = mine();
  if (a) a->check();
  Segment s{checked_name(name), engine_->parameter_of(sched_param), engine_->parameter_of(implicit_sched_param)};
  forget_cancelled_ends();
  if (a) {
    const Segment& outer = a->innermost_segment();
    if (!s.parameter) s.parameter = outer.parameter;
    if (!s.implicit) s.implicit = outer.implicit;
    return a->begin_segment(std::move(s));
  }
  if (!s.parameter) s.parameter = engine_->usual();
  Activation::begin(engine_, engine_->threads().hold(new_thread_id()), Origin::Application, std::move(s)).enter();
}

Activation& Current::own_segment(const char* what) const {
  Activation* const a = mine();
  if (!a && take_cancelled_end(*engine_)) throw_cancelled();
  if (!a) orb::raise<CORBA::BAD_INV_ORDER>(kNoSegment, CORBA::COMPLETED_NO, what);
  if (a->origin() != Origin::Application && a->segments().size() == 1) {
    if (take_cancelled_end(*engine_)) throw_cancelled();
    orb::raise<CORBA::BAD_INV_ORDER>(kNoSegment, CORBA::COMPLETED_NO, what);
  }
  return *a;
}

void Current::update_scheduling_segment(const char* name, CORBA::Policy_ptr sched_param,
                                        CORBA::Policy_ptr implicit_sched_param) {
  Activation* const a = mine();
  if (!a) {
    if (take_cancelled_end(*engine_)) throw_cancelled();
    orb::raise<CORBA::BAD_INV_ORDER>(kNoSegment, CORBA::COMPLETED_NO,
                                     "update_scheduling_segment() outside scheduling segments");
  }
  a->check();
  Segment s{checked_name(name), engine_->parameter_of(sched_param), engine_->parameter_of(implicit_sched_param)};
  const Segment& now = a->innermost_segment();
  if (s.name.empty()) s.name = now.name;
  if (!s.parameter) s.parameter = now.parameter;
  if (!s.implicit) s.implicit = now.implicit;
  a->update_segment(std::move(s));
}

void Current::end_scheduling_segment(const char* name) {
  Activation& a = own_segment("end_scheduling_segment() without a segment that the application has begun");
  a.check();
  const std::string& innermost = a.innermost_segment().name;
  if (name && *name && innermost != name)
    orb::raise<CORBA::BAD_INV_ORDER>(kOtherSegment, CORBA::COMPLETED_NO,
                                     "end_scheduling_segment() with another name than the innermost segment's");
  if (a.origin() == Origin::Application && a.segments().size() == 1) Activation::end(a);
  else a.end_segment();
}

RTScheduling::Current::IdType* Current::id() {
  auto result = std::make_unique<IdType>();
  if (const Activation* const a = mine()) {
    const ThreadId& id = a->thread().id();
    result->length(static_cast<CORBA::ULong>(id.size()));
    std::memcpy(result->get_buffer(), id.data(), id.size());
  }
  return result.release();
}

RTScheduling::DistributableThread_ptr Current::lookup(const IdType& id) {
  ThreadId wanted;
  if (id.length() != wanted.size()) return nullptr;
  std::memcpy(wanted.data(), id.get_buffer(), wanted.size());
  return engine_->threads().find(wanted)._retn();
}

RTScheduling::Current::NameList* Current::current_scheduling_segment_names() {
  auto result = std::make_unique<NameList>();
  if (const Activation* const a = mine()) {
    const auto& segments = a->segments();
    result->length(static_cast<CORBA::ULong>(segments.size()));
    CORBA::ULong i = 0;
    for (auto s = segments.rbegin(); s != segments.rend(); ++s) (*result)[i++] = s->name.c_str();
  }
  return result.release();
}

// --- Spawned threads ---

struct Start {
  std::shared_ptr<Engine> engine;
  DistributableThread_var thread;
  RTScheduling::ThreadAction_var action;
  CORBA::VoidData data;
  Segment first;
};

void run(Start& start) {
  Activation& a = Activation::begin(start.engine, start.thread, Origin::Spawned, std::move(start.first));
  try {
    a.enter();
    start.action.in()->_cxx_do(start.data);
  } catch (const CORBA::THREAD_CANCELLED&) {  // is over, as it was to be
  } catch (const CORBA::Exception& e) {
    log(LogLevel::Error, {"a spawned distributable thread ended with ", e.what()});
  } catch (const std::exception& e) {
    log(LogLevel::Error, {"a spawned distributable thread ended with a C++ exception: ", e.what()});
  }
  Activation::end(a);
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
  Activation* const a = mine();
  if (a) a->check();
  if (!start) orb::raise<CORBA::BAD_PARAM>(kBadParameter, CORBA::COMPLETED_NO, "spawn() with a nil ThreadAction");
  if (base_priority < 0)
    orb::raise<CORBA::BAD_PARAM>(kBadParameter, CORBA::COMPLETED_NO, "spawn() with a negative base_priority");
  Segment s{checked_name(name), engine_->parameter_of(sched_param), engine_->parameter_of(implicit_sched_param)};
  if (!s.parameter) s.parameter = engine_->discipline().of_priority(base_priority);
  if (!s.parameter && a) s.parameter = a->innermost_segment().implicit;
  if (!s.parameter) s.parameter = a ? a->innermost_segment().parameter : engine_->usual();
  auto all = std::make_unique<Start>(
      Start{engine_, {}, RTScheduling::ThreadAction::_duplicate(start), data, std::move(s)});
  const DistributableThread_var thread = engine_->threads().hold(new_thread_id());
  all->thread = thread;
  if (const int error = start_thread(std::move(all), stack_size); error != 0) {
    engine_->threads().release(*thread.in());
    const std::string why = std::string("spawn() got no native thread: ") + std::strerror(error);
    orb::raise<CORBA::NO_RESOURCES>(kNoThread, CORBA::COMPLETED_NO, why.c_str());
  }
  DistributableThread_var result = thread;
  if (a && engine_->gate().point(a->entry()) == Gate::Outcome::Cancelled) a->raise_cancelled();
  return result._retn();
}

}  // namespace

RTScheduling::Current_ptr make_current(std::shared_ptr<Engine> engine) { return new Current(std::move(engine)); }

}  // namespace callis::rt::scheduling
