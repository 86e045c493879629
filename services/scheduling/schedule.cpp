// SPDX-License-Identifier: Apache-2.0
// Levels become lanes, lanes get priorities and threads; then the response times of all that, and the bounds.
#include <services/scheduling/checked.h>
#include <services/scheduling/schedule.h>
#include <cmath>

namespace callis::scheduling {

namespace {

constexpr std::int32_t kGreatestPriority = 32767;  // RTCORBA::maxPriority

void check(const Options& o) {
  if (o.least_priority < 0 || o.greatest_priority > kGreatestPriority || o.least_priority > o.greatest_priority)
    throw Refused(Refused::Kind::BadValue, "CORBA priorities from " + std::to_string(o.least_priority) + " to " +
                                               std::to_string(o.greatest_priority) +
                                               " cannot be: they lie between 0 and 32767, the least first");
  if (o.most_lanes == 0 || o.most_lanes > 1000)
    throw Refused(Refused::Kind::BadValue, std::to_string(o.most_lanes) + " lanes cannot be: 1 to 1000 are allowed");
}

class Computation {
 public:
  Computation(const Model& model, const Options& options) : model_(model) { out_.options = options; }

  Schedule run() {
    check(out_.options);
    out_.streams = propagate(model_);
    const Levels levels = assign_levels(model_, out_.streams, out_.options.policy, out_.options.sharing);
    out_.levels = levels.count;
    make_lanes(levels);
    out_.analysis = analyse(model_, out_.streams, lane_of_);
    add_up();
    give_threads();
    compare_with_bounds();
    return std::move(out_);
  }

 private:
  void make_lanes(const Levels& levels);
  void add_up();
  void add_up(Index i);
  void give_threads();
  void compare_with_bounds();

  const Model& model_;
  Schedule out_;
  std::vector<std::uint32_t> lane_of_;
};

void Computation::make_lanes(const Levels& levels) {
  const Options& o = out_.options;
  const auto places = static_cast<std::uint32_t>(o.greatest_priority - o.least_priority) + 1;
  const std::uint32_t count = std::min({levels.count, o.most_lanes, places});
  out_.lanes.resize(count);
  for (std::uint32_t lane = 0; lane < count; ++lane) {
    const std::int64_t range = o.greatest_priority - o.least_priority;
    const std::int64_t step = count > 1 ? range * lane / (count - 1) : range;
    out_.lanes[lane].priority = o.least_priority + static_cast<std::int32_t>(step);
    out_.lanes[lane].background = true;
  }
  lane_of_.assign(model_.infos().size(), kNoLevel);
  for (Index i = 0; i < lane_of_.size(); ++i) {
    if (levels.of[i] == kNoLevel) continue;
    lane_of_[i] = static_cast<std::uint32_t>(std::uint64_t{levels.of[i]} * count / levels.count);
    out_.lanes[lane_of_[i]].infos.push_back(i);
    out_.lanes[lane_of_[i]].background &= out_.streams.background[i];
  }
  if (count < levels.count)
    out_.notes.push_back(std::to_string(levels.count) + " levels share " + std::to_string(count) +
                         " lanes: operations of neighbouring levels wait for each other, as the response times say");
}

void Computation::add_up() {
  out_.infos.resize(model_.infos().size());
  out_.schedulable = true;
  std::size_t background = 0;
  for (Index i = 0; i < model_.infos().size(); ++i) {
    add_up(i);
    background += std::size_t{out_.infos[i].background};
  }
  if (background != 0)
    out_.notes.push_back("operations with neither a period nor a caller that has one: " + std::to_string(background) +
                         "; they run in the background, without a deadline");
}

void Computation::add_up(Index i) {
  InfoResult& result = out_.infos[i];
  const RtInfo& info = model_.infos()[i];
  result.lane = lane_of_[i];
  result.background = out_.streams.background[i];
  result.inside = !out_.streams.of[i].empty();
  bool bounded = true;
  for (const std::size_t s : out_.streams.of[i]) {
    const Stream& stream = out_.streams.streams[s];
    const StreamResult& of = out_.analysis.streams[s];
    const double rate = static_cast<double>(stream.executions) / static_cast<double>(stream.period.count());
    const Time typical = info.typical.count() != 0 ? info.typical : info.worst_case;
    out_.typical_utilisation += rate * static_cast<double>(typical.count());
    result.utilisation += rate * static_cast<double>(info.worst_case.count());
    if (stream.inside) continue;
    result.inside = false;
    result.verdict = std::max(result.verdict, of.verdict);
    out_.schedulable &= of.verdict == Verdict::Meets;
    bounded &= of.response.has_value();
    if (of.response) result.response = std::max(result.response.value_or(Time(0)), *of.response);
  }
  if (!bounded) result.response.reset();
  out_.utilisation += result.utilisation;
  if (result.lane != kNoLevel) out_.lanes[result.lane].utilisation += result.utilisation;
  // What runs inside others is as urgent as the most urgent of them.
  for (const std::size_t s : out_.streams.of[i]) {
    if (!result.inside) break;
    for (const std::size_t f : out_.streams.streams[s].feeders) {
      const std::uint32_t lane = out_.analysis.streams[f].lane;
      if (lane != kNoLevel && (result.lane == kNoLevel || lane > result.lane)) result.lane = lane;
    }
  }
}

void Computation::give_threads() {
  // Of each RT_Info the longest chain of two-way calls below it; callers stand before what they call.
  std::vector<std::uint32_t> below(model_.infos().size(), 0);
  std::vector<std::vector<Index>> inside(below.size());
  for (const Dependency& d : model_.dependencies())
    if (d.kind == CallKind::TwoWay) inside[d.caller].push_back(d.called);
  for (std::size_t at = out_.streams.order.size(); at-- > 0;) {
    const Index i = out_.streams.order[at];
    for (const Index called : inside[i]) below[i] = std::max(below[i], below[called] + 1);
  }
  for (Lane& lane : out_.lanes)
    for (const Index i : lane.infos)
      lane.static_threads = std::max(lane.static_threads, model_.infos()[i].threads + below[i]);
}

void Computation::compare_with_bounds() {
  UtilisationBounds& bounds = out_.bounds;
  std::size_t n = 0;
  bounds.apply = out_.lanes.size() == out_.levels;
  for (std::size_t s = 0; s < out_.streams.streams.size(); ++s) {
    const Stream& stream = out_.streams.streams[s];
    const StreamResult& of = out_.analysis.streams[s];
    if (stream.inside || of.execution.count() == 0) continue;
    ++n;
    bounds.apply &= of.deadline == stream.period && of.jitter.count() == 0 && of.blocking.count() == 0;
    bounds.hyperbolic *= 1 + static_cast<double>(times(of.execution.count(), stream.executions)) /
                                 static_cast<double>(stream.period.count());
  }
  if (n != 0) bounds.liu_layland = static_cast<double>(n) * (std::pow(2.0, 1.0 / static_cast<double>(n)) - 1);
  bounds.apply &= n != 0;
  // Rounding must not turn a no into a yes.
  constexpr double kMargin = 1e-9;
  bounds.meets_liu_layland = bounds.apply && out_.utilisation + kMargin <= bounds.liu_layland;
  bounds.meets_hyperbolic = bounds.apply && bounds.hyperbolic + kMargin <= 2;
}

}  // namespace

Schedule compute(const Model& model, const Options& options) { return Computation(model, options).run(); }

std::int32_t priority_of(const Schedule& schedule, Index info) {
  const std::uint32_t lane = schedule.infos.at(info).lane;
  return lane == kNoLevel ? schedule.options.least_priority : schedule.lanes.at(lane).priority;
}

}  // namespace callis::scheduling
