// SPDX-License-Identifier: Apache-2.0
// simulate(): what one processor does with fixed priorities and preemption, event by event. For the picture of the
// critical instant, and for tests of the analysis, with which it shares no code.
//
// Jobs of one lane go in the order of their release; a job that is preempted stays first. Inside a section a job has
// the highest lane of the lock's users (immediate priority ceiling, which blocks no longer than priority
// inheritance).
#pragma once
#include <services/scheduling/schedule.h>
#include <functional>

namespace callis::scheduling {

struct Simulated {
  struct Call {
    std::size_t task;
    std::uint32_t times;
  };
  // Of each job: from `begin` of its execution time on, for `length`. They do not overlap.
  struct Section {
    Time begin, length;
    std::size_t lock;
  };
  std::uint32_t lane = 0;  // 0: the lowest
  Time execution{0};
  Time period{0};              // 0: runs when it is called
  Time offset{0};              // of the first release
  Time deadline{0};            // from the release of the chain; 0: the period of what began it
  std::uint32_t jobs = 1;      // at each release
  bool waits_for_all = false;  // InfoKind::And
  std::vector<Call> calls;     // one-way, at the end of each job
  std::vector<Section> sections;
};

struct SimulationLimits {
  Time until{0};                 // releases before this count
  std::size_t jobs = 5'000'000;  // it ends when so many were released, or 64 times as many calls were looked at
  std::size_t slices = 0;        // so many are kept
  // How long after the moment at which it is due the release `number` of a task comes; may be empty.
  std::function<Time(std::size_t task, std::size_t number)> delay;
};

struct Simulation {
  struct Slice {
    std::size_t task;
    Time begin, end;
    bool ends = false;  // the job is done
    bool late = false;  // it goes on beyond the job's deadline
  };
  struct Miss {
    std::size_t task;
    Time released, deadline;  // moments
  };
  std::vector<Time> worst;        // of each task: the longest response, from the release of the chain
  std::vector<std::size_t> late;  // of each task: jobs that missed their deadline
  std::optional<Miss> first_miss;
  std::vector<Slice> slices;
  std::size_t jobs = 0;
  Time ended{0};      // when all released jobs were done
  bool whole = true;  // false: too many jobs, or calls
};

Simulation simulate(const std::vector<Simulated>& tasks, const SimulationLimits& limits);

// One task for each RT_Info that runs by itself; `infos` gets their numbers. What it calls two-way is in its
// execution time, with what that calls one-way. Without locks. Refuses by Refused what has more than a million such
// calls.
std::vector<Simulated> tasks_of(const Model& model, const Schedule& schedule, std::vector<Index>& infos);

}  // namespace callis::scheduling
