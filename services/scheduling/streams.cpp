// SPDX-License-Identifier: Apache-2.0
// Callers before called; then rates down, and execution times up.
#include <services/scheduling/checked.h>
#include <services/scheduling/streams.h>
#include <map>

namespace callis::scheduling {

namespace {

// For each stream that there may be.
constexpr std::size_t kMostFeeders = 100;

class Propagation {
 public:
  explicit Propagation(const Model& model)
      : model_(model), infos_(model.infos()), calls_(infos_.size()), callers_(infos_.size()) {
    for (const Dependency& d : model.dependencies()) {
      calls_[d.caller].push_back(&d);
      callers_[d.called].push_back(&d);
    }
  }

  Streams run() {
    sort();
    out_.of.resize(infos_.size());
    out_.background.assign(infos_.size(), false);
    for (const Index i : out_.order) give_streams(i);
    sum_up();
    return std::move(out_);
  }

 private:
  // A stream to be: of one period.
  struct Part {
    std::int64_t executions = 0;
    std::vector<std::size_t> feeders;
  };
  using Parts = std::map<Time, Part>;

  void sort();
  [[noreturn]] void refuse_cycle(const std::vector<std::size_t>& left) const;
  void give_streams(Index i);
  void put(Index i, Parts parts, bool inside);
  Parts inherited(Index i, CallKind kind) const;
  Parts of_slowest(Index i) const;
  void take(Parts& parts, const Dependency& d) const;
  void sum_up();

  const Model& model_;
  const std::vector<RtInfo>& infos_;
  std::vector<std::vector<const Dependency*>> calls_, callers_;
  Streams out_;
  std::size_t feeders_ = 0;
};

// Kahn's: those that nobody calls first.
void Propagation::sort() {
  std::vector<std::size_t> left(infos_.size());
  for (Index i = 0; i < infos_.size(); ++i) {
    left[i] = callers_[i].size();
    if (left[i] == 0) out_.order.push_back(i);
  }
  for (std::size_t at = 0; at < out_.order.size(); ++at)
    for (const Dependency* d : calls_[out_.order[at]])
      if (--left[d->called] == 0) out_.order.push_back(d->called);
  if (out_.order.size() != infos_.size()) refuse_cycle(left);
}

// What is left has a caller that is left, too: going from one to its caller over and over leads around a cycle.
void Propagation::refuse_cycle(const std::vector<std::size_t>& left) const {
  Index at = 0;
  while (left[at] == 0) ++at;
  std::vector<std::size_t> seen(infos_.size(), 0);
  std::vector<Index> path;
  while (seen[at] == 0) {
    path.push_back(at);
    seen[at] = path.size();
    for (const Dependency* d : callers_[at]) {
      if (left[d->caller] == 0) continue;
      at = d->caller;
      break;
    }
  }
  const std::size_t begin = seen[at] - 1;
  constexpr std::size_t kMostNamed = 50;
  std::string text = quoted(infos_[at].entry_point);
  for (std::size_t i = path.size(); i-- > begin;) {
    if (path.size() - i > kMostNamed && i != begin) {
      text += " calls ... (" + std::to_string(i - begin) + " more)";
      i = begin + 1;
    } else {
      text += " calls " + quoted(infos_[path[i]].entry_point);
    }
  }
  throw Refused(Refused::Kind::Cycle,
                placed(infos_[at], "dependencies go in a circle: " + text +
                                       "; take one of these calls away, or give its target a model of its own"));
}

void Propagation::take(Parts& parts, const Dependency& d) const {
  for (const std::size_t s : out_.of[d.caller]) {
    const Stream& from = out_.streams[s];
    Part& part = parts[from.period];
    part.executions = plus(part.executions, times(from.executions, d.times));
    part.feeders.push_back(s);
  }
}

Propagation::Parts Propagation::inherited(Index i, CallKind kind) const {
  Parts parts;
  for (const Dependency* d : callers_[i])
    if (d->kind == kind) take(parts, *d);
  return parts;
}

Propagation::Parts Propagation::of_slowest(Index i) const {
  Parts slowest;
  double least = 0;
  std::vector<std::size_t> all;  // whoever comes last sets the And off, so all delay it
  bool never = false;
  for (const Dependency* d : callers_[i]) {
    Parts parts;
    take(parts, *d);
    double rate = 0;
    for (const auto& [period, part] : parts) {
      rate += static_cast<double>(part.executions) / static_cast<double>(period.count());
      all.insert(all.end(), part.feeders.begin(), part.feeders.end());
    }
    never |= parts.empty();
    if (slowest.empty() || rate < least || (rate == least && parts.rbegin()->first > slowest.rbegin()->first)) {
      least = rate;
      slowest = std::move(parts);
    }
    if (never) return {};  // it waits for what never comes
  }
  for (auto& [period, part] : slowest) part.feeders = all;
  return slowest;
}

void Propagation::put(Index i, Parts parts, bool inside) {
  for (auto& [period, part] : parts) {
    if (out_.streams.size() >= model_.bounds().streams)
      throw Refused(Refused::Kind::TooMany,
                    placed(infos_[i], quoted(infos_[i].entry_point) + " inherits one more than the " +
                                          std::to_string(model_.bounds().streams) +
                                          " pairs of an operation and a rate that are allowed: give some operations "
                                          "periods of their own"));
    feeders_ += part.feeders.size();
    if (feeders_ > kMostFeeders * model_.bounds().streams)
      throw Refused(Refused::Kind::TooMany,
                    placed(infos_[i], quoted(infos_[i].entry_point) +
                                          " waits for too many callers of too many rates: give some operations "
                                          "periods of their own"));
    out_.of[i].push_back(out_.streams.size());
    out_.streams.push_back({i, period, part.executions, inside, std::move(part.feeders)});
  }
}

void Propagation::give_streams(Index i) {
  const RtInfo& info = infos_[i];
  if (info.kind == InfoKind::And) {
    put(i, of_slowest(i), false);
  } else {
    if (info.period.count() != 0) {
      put(i, {{info.period, {static_cast<std::int64_t>(info.threads), {}}}}, false);
    } else {
      put(i, inherited(i, CallKind::OneWay), false);
    }
    put(i, inherited(i, CallKind::TwoWay), true);
  }
  out_.background[i] = out_.of[i].empty();
}

void Propagation::sum_up() {
  out_.execution.resize(infos_.size());
  for (std::size_t at = out_.order.size(); at-- > 0;) {
    const Index i = out_.order[at];
    if (infos_[i].kind == InfoKind::Operation && infos_[i].worst_case.count() == 0)
      throw Refused(Refused::Kind::BadValue,
                    placed(infos_[i], quoted(infos_[i].entry_point) +
                                          " has no worst-case execution time: give its wcet, or have it measured"));
    std::int64_t sum = infos_[i].worst_case.count();
    for (const Dependency* d : calls_[i])
      if (d->kind == CallKind::TwoWay) sum = plus(sum, times(out_.execution[d->called].count(), d->times));
    out_.execution[i] = Time(sum);
  }
}

}  // namespace

Streams propagate(const Model& model) { return Propagation(model).run(); }

}  // namespace callis::scheduling
