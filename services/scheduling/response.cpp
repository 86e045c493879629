// SPDX-License-Identifier: Apache-2.0
// Response times, lane by lane from the highest, repeated while jitters grow.
#include <services/scheduling/blocking.h>
#include <services/scheduling/demand.h>
#include <services/scheduling/response.h>

namespace callis::scheduling {

std::string_view word_of(Verdict verdict) {
  constexpr std::string_view kWords[] = {"meets", "exceeds", "overloaded", "unproved"};
  return kWords[static_cast<std::size_t>(verdict)];
}

namespace {

// After so many rounds, jitters that still grow are taken for endless: where a deadline is missed already, and at
// last.
constexpr std::uint32_t kRoundsOfMisses = 20, kMostRounds = 300;
// Steps of all streams together to find out by how much deadlines are missed. Then it is left at their being missed.
constexpr std::uint64_t kStepsOfMisses = 5'000'000;
// Of the whole processor; what rounding may add to a sum of 100,000 terms is far less.
constexpr double kFull = 1.0 + 1e-9;

class Responses {
 public:
  Responses(const Model& model, const Streams& streams, const std::vector<std::uint32_t>& lanes)
      : model_(model), streams_(streams.streams), lanes_(lanes), by_lane_(1), times_(streams_.size()) {
    for (const std::uint32_t lane : lanes)
      if (lane != kNoLevel && lane + 1 > by_lane_.size()) by_lane_.resize(lane + 1);
    out_.streams.resize(streams_.size());
    const std::vector<Time> blocking = blocking_of_lanes(model, streams.order, lanes, by_lane_.size());
    for (std::size_t s = 0; s < streams_.size(); ++s) {
      StreamResult& result = out_.streams[s];
      const Index info = streams_[s].info;
      result.execution = streams.execution[info];
      result.deadline = deadline_of(model, streams_[s]);
      if (passes_on(s)) continue;
      result.lane = lanes[info];
      result.blocking = Time(plus(blocking[result.lane].count(), model.infos()[info].blocking.count()));
      by_lane_[result.lane].push_back(s);
    }
  }

  Analysis run() {
    while ((give_jitters() || out_.rounds == 0) && !spent()) {
      ++out_.rounds;
      answer_all();
    }
    if (spent())
      for (Times& t : times_) t.sure = false;
    pass_on();
    for (std::size_t s = 0; s < streams_.size(); ++s) conclude(s);
    return std::move(out_);
  }

 private:
  struct Times {
    std::int64_t jitter = 0, response = 0;
    bool sure = true;      // the response is an upper bound
    bool exceeds = false;  // it was longer than the deadline in one round; in later ones it is no shorter
    bool overloaded = false;
  };

  // Runs inside others, or takes no time.
  bool passes_on(std::size_t s) const { return streams_[s].inside || lanes_[streams_[s].info] == kNoLevel; }
  bool spent() const { return out_.steps > model_.bounds().steps; }

  bool give_jitters();
  void pass_on();
  void answer_all();
  void answer(std::size_t s, const Demand& demand);
  void conclude(std::size_t s);

  const Model& model_;
  const std::vector<Stream>& streams_;
  const std::vector<std::uint32_t>& lanes_;
  std::vector<std::vector<std::size_t>> by_lane_;
  std::vector<Times> times_;
  std::uint64_t steps_of_misses_ = 0;
  bool missed_ = false;  // a deadline, or more than the processor
  Analysis out_;
};

// Those that pass on end with the last of their feeders. Feeders stand before what they feed.
void Responses::pass_on() {
  for (std::size_t s = 0; s < streams_.size(); ++s) {
    if (!passes_on(s)) continue;
    Times& to = times_[s];
    std::uint32_t lane = kNoLevel;
    for (const std::size_t f : streams_[s].feeders) {
      to.response = std::max(to.response, times_[f].response);
      to.sure &= times_[f].sure;
      to.overloaded |= times_[f].overloaded;
      lane = std::min(lane, out_.streams[f].lane);
    }
    out_.streams[s].lane = lane;
  }
}

// True: one has changed. Jitters never shrink.
bool Responses::give_jitters() {
  pass_on();
  bool changed = false;
  const bool endless = out_.rounds >= (missed_ ? kRoundsOfMisses : kMostRounds);
  for (std::size_t s = 0; s < streams_.size(); ++s) {
    const Stream& stream = streams_[s];
    std::int64_t jitter = stream.feeders.empty() ? model_.infos()[stream.info].jitter.count() : 0;
    out_.steps += stream.feeders.size();
    for (const std::size_t f : stream.feeders) {
      const bool above = out_.streams[s].lane > out_.streams[f].lane;
      jitter = std::max(jitter, above ? times_[f].response : times_[f].jitter);
    }
    if (jitter <= times_[s].jitter) continue;
    changed = true;
    times_[s].jitter = endless ? kNever : jitter;
  }
  return changed;
}

void Responses::answer_all() {
  Demand demand;
  double use = 0;
  for (std::size_t lane = by_lane_.size(); lane-- > 0;) {
    for (const std::size_t s : by_lane_[lane]) {
      const std::int64_t period = streams_[s].period.count();
      const std::int64_t cost = times(out_.streams[s].execution.count(), streams_[s].executions);
      use += static_cast<double>(cost) / static_cast<double>(period);
      demand.add(period, times_[s].jitter, cost);
    }
    demand.settle();
    for (const std::size_t s : by_lane_[lane]) {
      if (use <= kFull) {
        answer(s, demand);
      } else {
        times_[s].response = kNever;
        times_[s].sure = false;
        times_[s].overloaded = true;
      }
      times_[s].exceeds |= times_[s].response > out_.streams[s].deadline.count() && times_[s].response < kNever;
      missed_ |= times_[s].exceeds || times_[s].overloaded;
    }
  }
}

void Responses::answer(std::size_t s, const Demand& demand) {
  Times& to = times_[s];
  const std::int64_t execution = out_.streams[s].execution.count(), period = streams_[s].period.count();
  const std::int64_t blocking = out_.streams[s].blocking.count(), deadline = out_.streams[s].deadline.count();
  to.response = 0;
  to.sure = true;
  std::int64_t window = plus(blocking, execution), own = execution, released = 0;
  while (true) {
    // All of its lane and above, but of itself one execution for each release so far.
    while (window < kNever) {
      out_.steps += demand.periods();
      if (to.response > deadline || window - released > deadline) steps_of_misses_ += demand.periods();
      const std::int64_t all = demand.of(window);
      const std::int64_t next =
          all == kNever ? kNever
                        : plus(plus(blocking, own), all - times(execution, parts(plus(window, to.jitter), period)));
      if (next <= window) break;
      window = next;
      if (spent() || (steps_of_misses_ > kStepsOfMisses && window - released > deadline)) break;
    }
    to.response = std::max(to.response, window == kNever ? kNever : plus(window - released, to.jitter));
    if (window == kNever || spent()) {
      to.response = window == kNever ? kNever : to.response;
      to.sure = false;
      return;
    }
    if (to.response > deadline && steps_of_misses_ > kStepsOfMisses) {
      to.exceeds = true;
      to.response = kNever;  // what it calls must not rely on less
      to.sure = false;
      return;
    }
    const std::int64_t next_release = plus(released, period);
    if (window <= next_release - to.jitter) return;
    released = next_release;
    own = plus(own, execution);
    window = plus(window, execution);
  }
}

void Responses::conclude(std::size_t s) {
  StreamResult& result = out_.streams[s];
  const Times& from = times_[s];
  result.jitter = Time(std::min(from.jitter, kNever));
  if (from.sure && from.response < kNever) result.response = Time(from.response);
  if (from.overloaded)
    result.verdict = Verdict::Overloaded;
  else if (from.exceeds)
    result.verdict = Verdict::Exceeds;
  else
    result.verdict = from.sure && from.response < kNever ? Verdict::Meets : Verdict::Unproved;
}

}  // namespace

Analysis analyse(const Model& model, const Streams& streams, const std::vector<std::uint32_t>& lanes) {
  return Responses(model, streams, lanes).run();
}

}  // namespace callis::scheduling
