// SPDX-License-Identifier: Apache-2.0
// The service: IDL's structs to the model's and back, and Refused as the IDL's exceptions.
#include <callis/base/blocking_scope.h>
#include <callis/base/text.h>
#include <services/scheduling/configuration.h>
#include <services/scheduling/report.h>
#include <services/scheduling/service.h>
#include <algorithm>

namespace callis::scheduling {

namespace Idl = CallisScheduling;

static_assert(static_cast<int>(Idl::CONJUNCTION) == static_cast<int>(InfoKind::And));
static_assert(static_cast<int>(Idl::DISJUNCTION) == static_cast<int>(InfoKind::Or));
static_assert(static_cast<int>(Idl::VERY_HIGH_CRITICALITY) == static_cast<int>(Criticality::VeryHigh));
static_assert(static_cast<int>(Idl::VERY_HIGH_IMPORTANCE) == static_cast<int>(Importance::VeryHigh));
static_assert(static_cast<int>(Idl::TWO_WAY_CALL) == static_cast<int>(CallKind::TwoWay));
static_assert(static_cast<int>(Idl::DEADLINE_MONOTONIC) == static_cast<int>(Policy::DeadlineMonotonic));
static_assert(static_cast<int>(Idl::UNPROVED) == static_cast<int>(Verdict::Unproved));

namespace {

constexpr std::size_t kMostListed = 1000;
constexpr const char* kServiceName = "SchedulingService";

// Runs f; what it is refused becomes the exception of the operation. existing: the one of the same name.
template<class F, class G>
auto answered(F&& f, G&& existing) {
  try {
    return f();
  } catch (const Refused& r) {
    switch (r.kind()) {
      case Refused::Kind::Duplicate: throw Idl::Duplicate(r.what(), existing());
      case Refused::Kind::Unknown: throw Idl::Unknown(r.what());
      case Refused::Kind::Cycle: throw Idl::Cycle(r.what());
      case Refused::Kind::TooMany: throw Idl::TooMany(r.what());
      case Refused::Kind::BadValue: break;
    }
    throw Idl::BadValue(r.what());
  }
}
template<class F>
auto answered(F&& f) {
  return answered(std::forward<F>(f), [] { return Idl::Handle{0}; });
}

// More than there can be stays more than is allowed.
Time time_in(Idl::Nanoseconds n) {
  return Time(static_cast<std::int64_t>(
      std::min<Idl::Nanoseconds>(n, static_cast<Idl::Nanoseconds>(kLongestTime.count()) + 1)));
}
Idl::Nanoseconds time_out(Time t) { return static_cast<Idl::Nanoseconds>(t.count()); }

RtInfo info_in(const Idl::RtInfo& from) {
  RtInfo to;
  to.entry_point = from.entry_point.in();
  to.kind = static_cast<InfoKind>(from.info_kind);
  to.worst_case = time_in(from.worst_case_execution_time);
  to.typical = time_in(from.typical_execution_time);
  to.cached = time_in(from.cached_execution_time);
  to.period = time_in(from.period);
  to.deadline = time_in(from.deadline);
  to.jitter = time_in(from.jitter);
  to.blocking = time_in(from.blocking);
  to.criticality = static_cast<Criticality>(from.info_criticality);
  to.importance = static_cast<Importance>(from.info_importance);
  to.quantum = time_in(from.quantum);
  to.threads = from.threads;
  for (CORBA::ULong i = 0; i < from.info_locks.length(); ++i)
    to.locks.push_back({from.info_locks[i].name.in(), time_in(from.info_locks[i].longest)});
  return to;
}

void info_out(const RtInfo& from, Idl::RtInfo& to) {
  to.entry_point = CORBA::string_dup(from.entry_point.c_str());
  to.info_kind = static_cast<Idl::Kind>(from.kind);
  to.worst_case_execution_time = time_out(from.worst_case);
  to.typical_execution_time = time_out(from.typical);
  to.cached_execution_time = time_out(from.cached);
  to.period = time_out(from.period);
  to.deadline = time_out(from.deadline);
  to.jitter = time_out(from.jitter);
  to.blocking = time_out(from.blocking);
  to.info_criticality = static_cast<Idl::Criticality>(from.criticality);
  to.info_importance = static_cast<Idl::Importance>(from.importance);
  to.quantum = time_out(from.quantum);
  to.threads = from.threads;
  const auto n = static_cast<CORBA::ULong>(std::min<std::size_t>(from.locks.size(), 100));
  to.info_locks.length(n);
  for (CORBA::ULong i = 0; i < n; ++i) {
    to.info_locks[i].name = CORBA::string_dup(from.locks[i].name.c_str());
    to.info_locks[i].longest = time_out(from.locks[i].longest);
  }
}

Time shortest_period(const Schedule& schedule, Index info) {
  Time out(0);
  for (const std::size_t s : schedule.streams.of[info]) {
    const Time period = schedule.streams.streams[s].period;
    out = out.count() == 0 ? period : std::min(out, period);
  }
  return out;
}

}  // namespace

SchedulingService::SchedulingService(Model model) : model_(std::move(model)) {
  for (std::size_t i = 0; i < model_.infos().size(); ++i) handles_.push_back(next_++);
}

Index SchedulingService::index_of(Idl::Handle handle) const {
  const auto found = std::lower_bound(handles_.begin(), handles_.end(), handle);
  if (found == handles_.end() || *found != handle)
    throw Idl::Unknown(concat({"there is no RT_Info with the handle ", Decimal(handle),
                               ": it was removed, or is of another service"})
                           .c_str());
  return static_cast<Index>(found - handles_.begin());
}

const Schedule& SchedulingService::schedule() const {
  if (!computed_) throw Idl::NotScheduled("no schedule was computed since the last change: call compute()");
  return computed_->schedule;
}

void SchedulingService::changed() {
  ++revision_;
  computed_.reset();
}

SchedulingService::Turn SchedulingService::take_turn() {
  const BlockingScope blocked;
  Turn out(computing_, kOperationTime);
  if (out) return out;
  throw CORBA::NO_RESOURCES(0, CORBA::COMPLETED_NO,
                            "others have computed schedules or had texts written for 20 s, which is how long one "
                            "waits for his turn");
}

Idl::Handle SchedulingService::create(const Idl::RtInfo& info) {
  const std::lock_guard lock(mutex_);
  return answered(
      [&] {
        if (next_ == 0) throw Refused(Refused::Kind::TooMany, "all handles are used up: start the service again");
        model_.add(info_in(info));
        changed();
        handles_.push_back(next_++);
        return handles_.back();
      },
      [&] { return handles_[model_.find(info.entry_point.in())]; });
}

void SchedulingService::set(Idl::Handle info, const Idl::RtInfo& now) {
  const std::lock_guard lock(mutex_);
  const Index at = index_of(info);
  answered([&] { model_.change(at, info_in(now)); });
  changed();
}

void SchedulingService::remove(Idl::Handle info) {
  const std::lock_guard lock(mutex_);
  const Index at = index_of(info);
  model_.remove(at);
  handles_.erase(handles_.begin() + at);
  changed();
}

Idl::Handle SchedulingService::lookup(const char* entry_point) {
  const std::lock_guard lock(mutex_);
  return handles_[answered([&] { return model_.at(entry_point); })];
}

Idl::RtInfo* SchedulingService::get(Idl::Handle info) {
  const std::lock_guard lock(mutex_);
  Idl::RtInfo_var out = new Idl::RtInfo;
  info_out(model_.infos()[index_of(info)], out.inout());
  return out._retn();
}

void SchedulingService::add_dependency(const Idl::Dependency& what) {
  const std::lock_guard lock(mutex_);
  const Dependency d{index_of(what.caller), index_of(what.called), static_cast<CallKind>(what.how),
                     what.number_of_calls};
  answered([&] { model_.add(d); });
  changed();
}

Idl::Dependencies* SchedulingService::dependencies_of(Idl::Handle info) {
  const std::lock_guard lock(mutex_);
  const Index at = index_of(info);
  Idl::Dependencies_var out = new Idl::Dependencies;
  CORBA::ULong n = 0;
  for (const Dependency& d : model_.dependencies()) {
    if (d.caller != at && d.called != at) continue;
    if (n == kMostListed) throw Idl::TooMany("it has more than 1000 dependencies: more than an answer may have");
    out->length(n + 1);
    Idl::Dependency& to = out[n++];
    to.caller = handles_[d.caller];
    to.called = handles_[d.called];
    to.how = static_cast<Idl::CallKind>(d.kind);
    to.number_of_calls = d.times;
  }
  return out._retn();
}

Idl::Summary* SchedulingService::compute(const Idl::Options& how) {
  Options options;
  options.policy = static_cast<Policy>(how.assignment);
  options.sharing = how.level_each ? Sharing::Each : Sharing::Shared;
  options.most_lanes = how.most_lanes;
  options.least_priority = how.least_priority;
  options.greatest_priority = how.greatest_priority;
  const Turn turn = take_turn();
  const auto out = std::make_shared<Computed>();
  std::uint64_t revision = 0;
  {
    const std::lock_guard lock(mutex_);
    out->model = model_;
    revision = revision_;
  }
  out->schedule = answered([&] { return scheduling::compute(out->model, options); });
  const std::lock_guard lock(mutex_);
  if (revision == revision_) computed_ = out;
  return summary(out->schedule);
}

Idl::Summary* SchedulingService::last() {
  const std::lock_guard lock(mutex_);
  return summary(schedule());
}

Idl::Summary* SchedulingService::summary(const Schedule& s) {
  Idl::Summary_var out = new Idl::Summary;
  out->schedulable = s.schedulable;
  out->utilisation = s.utilisation;
  out->levels = s.levels;
  out->from_lowest.length(static_cast<CORBA::ULong>(s.lanes.size()));
  for (CORBA::ULong i = 0; i < out->from_lowest.length(); ++i)
    out->from_lowest[i] = {static_cast<CORBA::Short>(s.lanes[i].priority), s.lanes[i].static_threads,
                           s.lanes[i].utilisation};
  std::string notes;
  for (const std::string& note : s.notes) notes += note + "\n";
  out->notes = CORBA::string_dup(notes.c_str());
  return out._retn();
}

void SchedulingService::fill(Idl::Result& to, Index from) const {
  const Schedule& s = schedule();
  const InfoResult& result = s.infos[from];
  to.info = handles_[from];
  to.entry_point = CORBA::string_dup(model_.infos()[from].entry_point.c_str());
  to.has_lane = result.lane != kNoLevel;
  to.inside = result.inside;
  to.background = result.background;
  to.priority = static_cast<CORBA::Short>(priority_of(s, from));
  to.shortest_period = time_out(shortest_period(s, from));
  to.execution = time_out(s.streams.execution[from]);
  to.has_response = result.response.has_value();
  to.response = time_out(result.response.value_or(Time(0)));
  to.outcome = static_cast<Idl::Verdict>(result.verdict);
}

Idl::Result* SchedulingService::result_of(Idl::Handle info) {
  const std::lock_guard lock(mutex_);
  const Index at = index_of(info);
  Idl::Result_var out = new Idl::Result;
  fill(out.inout(), at);
  return out._retn();
}

Idl::Results* SchedulingService::results_behind(Idl::Handle last_seen) {
  const std::lock_guard lock(mutex_);
  (void)schedule();
  const auto first = std::upper_bound(handles_.begin(), handles_.end(), last_seen) - handles_.begin();
  const std::size_t n = std::min(handles_.size() - static_cast<std::size_t>(first), kMostListed);
  Idl::Results_var out = new Idl::Results;
  out->length(static_cast<CORBA::ULong>(n));
  for (CORBA::ULong i = 0; i < n; ++i) fill(out[i], static_cast<Index>(first) + i);
  return out._retn();
}

char* SchedulingService::text(Idl::Report which) {
  const Turn turn = take_turn();
  std::shared_ptr<const Computed> of;
  {
    const std::lock_guard lock(mutex_);
    (void)schedule();
    of = computed_;
  }
  const Model& model = of->model;
  const Schedule& s = of->schedule;
  switch (which) {
    case Idl::TABLE: return CORBA::string_dup(table_text(model, s).c_str());
    case Idl::JSON: return CORBA::string_dup(json_text(model, s).c_str());
    case Idl::HEADER: return CORBA::string_dup(header_text(model, s, "schedule").c_str());
    case Idl::SVG: return answered([&] { return CORBA::string_dup(svg_text(model, s).c_str()); });
    default: return CORBA::string_dup(to_text(configuration_of(model, s)).c_str());
  }
}

Idl::Parameters SchedulingService::dynamic_parameters(const char* entry_point) {
  const std::lock_guard lock(mutex_);
  const Index at = answered([&] { return model_.at(entry_point); });
  const RtInfo& info = model_.infos()[at];
  Idl::Parameters out;
  out.info = handles_[at];
  out.info_criticality = static_cast<Idl::Criticality>(info.criticality);
  out.info_importance = static_cast<Idl::Importance>(info.importance);
  const Schedule* const done = computed_ ? &computed_->schedule : nullptr;
  out.scheduled = done != nullptr;
  const Time period = done ? shortest_period(*done, at) : info.period;
  out.period = time_out(period);
  out.deadline = time_out(info.deadline.count() != 0 ? info.deadline : period);
  out.worst_case_execution_time = time_out(done ? done->streams.execution[at] : info.worst_case);
  out.typical_execution_time = time_out(info.typical.count() != 0 ? info.typical : info.worst_case);
  out.quantum = time_out(info.quantum);
  out.priority = static_cast<CORBA::Short>(done ? priority_of(*done, at) : 0);
  return out;
}

CORBA::Object_var serve(CORBA::ORB_ptr orb, SchedulingService& service) {
  CORBA::Object_var object = orb->resolve_initial_references("RootPOA");
  const PortableServer::POA_var root = PortableServer::POA::_narrow(object.in());
  const PortableServer::POAManager_var manager = root->the_POAManager();
  CORBA::PolicyList policies;
  policies.length(2);
  policies[0] = root->create_lifespan_policy(PortableServer::PERSISTENT);
  policies[1] = root->create_id_assignment_policy(PortableServer::USER_ID);
  const PortableServer::POA_var poa = root->create_POA(kServiceName, manager.in(), policies);
  const PortableServer::ObjectId_var id = PortableServer::string_to_ObjectId("scheduler");
  poa->activate_object_with_id(id.in(), &service);
  object = poa->id_to_reference(id.in());
  orb->register_initial_reference(kServiceName, object.in());
  manager->activate();
  return object;
}

}  // namespace callis::scheduling
