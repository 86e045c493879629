// SPDX-License-Identifier: Apache-2.0
// A heap of moments at which jobs are released, and a queue of ready jobs for each lane.
#include <services/scheduling/checked.h>
#include <services/scheduling/simulation.h>
#include <algorithm>
#include <deque>
#include <queue>

namespace callis::scheduling {

namespace {

constexpr std::uint64_t kStepsOfJob = 64;  // on an average, of those that SimulationLimits::jobs allows

struct Job {
  std::size_t task;
  Time released;      // of the chain
  Time chain_period;  // of what began it
  Time done{0};
  std::size_t section = 0;  // the next one, or the one that it is in
  bool inside = false;
};

struct Release {
  Time at, due;
  std::size_t task, number;
  bool arrives;  // else it is due, and may be delayed
  bool operator>(const Release& o) const {
    return std::tie(at, task, number, arrives) > std::tie(o.at, o.task, o.number, o.arrives);
  }
};

class Processor {
 public:
  Processor(const std::vector<Simulated>& tasks, const SimulationLimits& limits) : tasks_(tasks), limits_(limits) {
    out_.worst.resize(tasks.size());
    out_.late.resize(tasks.size());
    inputs_.resize(tasks.size());
    std::uint32_t lanes = 1;
    std::size_t locks = 0;
    for (const Simulated& t : tasks) {
      lanes = std::max(lanes, t.lane + 1);
      for (const Simulated::Section& s : t.sections) locks = std::max(locks, s.lock + 1);
    }
    ready_.resize(lanes);
    ceilings_.resize(locks);
    for (std::size_t t = 0; t < tasks.size(); ++t) {
      for (const Simulated::Section& s : tasks[t].sections)
        ceilings_[s.lock] = std::max(ceilings_[s.lock], tasks[t].lane);
      for (const Simulated::Call& c : tasks[t].calls) inputs_[c.task].push_back({t, {}});
      if (tasks[t].period.count() != 0) due(t, 0, tasks[t].offset);
    }
  }

  Simulation run() {
    while (true) {
      while (!releases_.empty() && releases_.top().at <= now_) release();
      if (!out_.whole) break;
      if (const auto lane = highest()) {
        run_first(*lane);
      } else if (releases_.empty()) {
        break;
      } else {
        now_ = releases_.top().at;
      }
    }
    out_.ended = now_;
    return std::move(out_);
  }

 private:
  struct Input {
    std::size_t caller;
    std::deque<Job> waiting;
  };

  void due(std::size_t task, std::size_t number, Time at) {
    if (at < limits_.until) releases_.push({at, at, task, number, false});
  }

  void release() {
    const Release r = releases_.top();
    releases_.pop();
    const Simulated& task = tasks_[r.task];
    if (!r.arrives) {
      due(r.task, r.number + 1, r.due + task.period);
      const Time delay = limits_.delay ? limits_.delay(r.task, r.number) : Time(0);
      if (delay.count() != 0) {
        releases_.push({r.at + delay, r.due, r.task, r.number, true});
        return;
      }
    }
    for (std::uint32_t i = 0; i < task.jobs; ++i) make_ready({r.task, r.due, task.period});
  }

  void make_ready(Job job) {
    if (++out_.jobs > limits_.jobs) {
      out_.whole = false;
      return;
    }
    if (tasks_[job.task].execution.count() == 0)
      finish(job, false);
    else
      ready_[tasks_[job.task].lane].push_back(job);
  }

  std::optional<std::uint32_t> highest() const {
    for (std::size_t lane = ready_.size(); lane-- > 0;)
      if (!ready_[lane].empty()) return static_cast<std::uint32_t>(lane);
    return std::nullopt;
  }

  // The first of the lane, until something changes.
  void run_first(std::uint32_t lane) {
    Job job = ready_[lane].front();
    ready_[lane].pop_front();
    const Simulated& task = tasks_[job.task];
    Time left = task.execution - job.done;
    const bool more = job.section < task.sections.size();
    if (more) {
      const Simulated::Section& section = task.sections[job.section];
      if (!job.inside && job.done == section.begin) job.inside = true;
      left = (job.inside ? section.begin + section.length : section.begin) - job.done;
    }
    const Time until_release = releases_.empty() ? left : releases_.top().at - now_;
    const Time slice = std::min(left, until_release);
    const Time began = now_;
    now_ += slice;
    job.done += slice;
    if (more && job.inside && job.done == task.sections[job.section].begin + task.sections[job.section].length) {
      job.inside = false;
      ++job.section;
    }
    const bool ends = job.done == task.execution;
    if (slice.count() != 0) keep({job.task, began, now_, ends, now_ > deadline_of(job)});
    if (ends)
      finish(job, true);
    else
      ready_[job.inside ? std::max(task.lane, ceilings_[task.sections[job.section].lock]) : task.lane].push_front(
          job);
  }

  Time deadline_of(const Job& job) const {
    const Time own = tasks_[job.task].deadline;
    return job.released + (own.count() != 0 ? own : job.chain_period);
  }

  void keep(const Simulation::Slice& slice) {
    if (!out_.slices.empty()) {
      Simulation::Slice& last = out_.slices.back();
      if (last.task == slice.task && last.end == slice.begin && !last.ends) {
        last.end = slice.end;
        last.ends = slice.ends;
        last.late = slice.late;
        return;
      }
    }
    if (out_.slices.size() < limits_.slices) out_.slices.push_back(slice);
  }

  void finish(const Job& job, bool counts) {
    if (counts) {
      out_.worst[job.task] = std::max(out_.worst[job.task], now_ - job.released);
      const Time deadline = deadline_of(job);
      if (now_ > deadline) {
        ++out_.late[job.task];
        if (!out_.first_miss) out_.first_miss = Simulation::Miss{job.task, job.released, deadline};
      }
    }
    for (const Simulated::Call& call : tasks_[job.task].calls)
      for (std::uint32_t i = 0; i < call.times && out_.whole; ++i) arrive(call.task, job);
  }

  void arrive(std::size_t task, const Job& from) {
    steps_ += 1 + inputs_[task].size();
    if (steps_ / kStepsOfJob > limits_.jobs) {
      out_.whole = false;
      return;
    }
    if (tasks_[task].period.count() != 0) return;  // has a rate of its own
    Job job{task, from.released, from.chain_period};
    if (tasks_[task].waits_for_all) {
      bool all = true;
      for (Input& input : inputs_[task]) {
        if (input.caller == from.task) input.waiting.push_back(job);
        all &= !input.waiting.empty();
      }
      if (!all) return;
      for (Input& input : inputs_[task]) {
        job.released = std::max(job.released, input.waiting.front().released);
        job.chain_period = std::max(job.chain_period, input.waiting.front().chain_period);
        input.waiting.pop_front();
      }
    }
    make_ready(job);
  }

  const std::vector<Simulated>& tasks_;
  const SimulationLimits& limits_;
  Time now_{0};
  std::priority_queue<Release, std::vector<Release>, std::greater<>> releases_;
  std::vector<std::deque<Job>> ready_;
  std::vector<std::uint32_t> ceilings_;
  std::vector<std::vector<Input>> inputs_;
  std::uint64_t steps_ = 0;  // of calls, with those that make no job
  Simulation out_;
};

// The one-way calls of an operation and of what runs inside it.
class Calls {
 public:
  explicit Calls(const Model& model) : of_(model.infos().size()) {
    for (const Dependency& d : model.dependencies()) of_[d.caller].push_back(&d);
  }
  std::map<Index, std::uint64_t> below(Index i) {
    std::map<Index, std::uint64_t> out;
    add(i, 1, out);
    return out;
  }

 private:
  void add(Index i, std::uint64_t times, std::map<Index, std::uint64_t>& out) {
    for (const Dependency* d : of_[i]) {
      if (++steps_ > 1'000'000 || times * d->times > 1'000'000)
        throw Refused(Refused::Kind::TooMany,
                      "there are more than a million calls inside each other: too many to simulate");
      if (d->kind == CallKind::OneWay)
        out[d->called] += times * d->times;
      else
        add(d->called, times * d->times, out);
    }
  }

  std::vector<std::vector<const Dependency*>> of_;
  std::size_t steps_ = 0;
};

}  // namespace

Simulation simulate(const std::vector<Simulated>& tasks, const SimulationLimits& limits) {
  return Processor(tasks, limits).run();
}

std::vector<Simulated> tasks_of(const Model& model, const Schedule& schedule, std::vector<Index>& infos) {
  infos.clear();
  std::vector<std::size_t> task_of(model.infos().size(), 0);
  for (Index i = 0; i < task_of.size(); ++i) {
    const bool alone = std::any_of(schedule.streams.of[i].begin(), schedule.streams.of[i].end(),
                                   [&](std::size_t s) { return !schedule.streams.streams[s].inside; });
    if (!alone) continue;
    task_of[i] = infos.size() + 1;
    infos.push_back(i);
  }
  Calls calls(model);
  std::vector<Simulated> out(infos.size());
  for (std::size_t t = 0; t < out.size(); ++t) {
    const RtInfo& info = model.infos()[infos[t]];
    const std::uint32_t lane = schedule.infos[infos[t]].lane;
    out[t].lane = lane == kNoLevel ? 0 : lane;
    out[t].execution = schedule.streams.execution[infos[t]];
    out[t].period = info.period;
    out[t].deadline = info.deadline;
    out[t].jobs = info.threads;
    out[t].waits_for_all = info.kind == InfoKind::And;
    for (const auto& [called, times] : calls.below(infos[t]))
      if (task_of[called] != 0)
        out[t].calls.push_back(
            {task_of[called] - 1, static_cast<std::uint32_t>(std::min<std::uint64_t>(times, 1'000'000))});
  }
  return out;
}

}  // namespace callis::scheduling
