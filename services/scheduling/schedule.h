// SPDX-License-Identifier: Apache-2.0
// Schedule: what comes out. compute() does all: rates, levels, lanes, CORBA priorities, bounds, response times.
#pragma once
#include <services/scheduling/response.h>
#include <map>

namespace callis::scheduling {

struct Options {
  Policy policy = Policy::RateMonotonic;
  Sharing sharing = Sharing::Shared;
  std::uint32_t most_lanes = 32;  // where there are more levels, neighbours share a lane
  // CORBA priorities (RTCORBA::Priority, 0 to 32767); the lowest lane has the least, the highest the greatest. These
  // are the native ones from 1 to 90 by the mapping `continuous`, the usual one; what is above is left to the system.
  std::int32_t least_priority = 0, greatest_priority = 89;
};

struct Lane {
  std::int32_t priority = 0;
  // Threads that the pool makes for it: as many as the operation of it with the most threads has, and one for each
  // level of two-way calls below, as callers wait while the called operation runs.
  std::uint32_t static_threads = 1;
  bool background = false;  // has nothing but background operations
  double utilisation = 0;
  std::vector<Index> infos;
};

struct InfoResult {
  std::uint32_t lane = kNoLevel;  // of what only runs inside others: the highest of theirs; kNoLevel: none
  bool inside = false;            // only runs inside others
  bool background = false;
  double utilisation = 0;
  std::optional<Time> response;  // the longest of its streams
  Verdict verdict = Verdict::Meets;
};

// Sufficient tests. They say nothing unless all streams have deadlines equal to their periods, no jitter and no
// blocking.
struct UtilisationBounds {
  bool apply = false;
  double liu_layland = 1;  // n (2^(1/n) - 1), to be compared with the utilisation
  double hyperbolic = 1;   // product of (utilisation + 1), to be compared with 2 (Bini, Buttazzo and Buttazzo 2001)
  bool meets_liu_layland = false, meets_hyperbolic = false;
};

struct Schedule {
  Options options;
  Streams streams;
  Analysis analysis;
  std::uint32_t levels = 0;
  std::vector<Lane> lanes;  // from the lowest
  std::vector<InfoResult> infos;
  double utilisation = 0;          // of the processor, by worst cases
  double typical_utilisation = 0;  // by typical execution times
  UtilisationBounds bounds;
  bool schedulable = false;        // every stream meets its deadline
  std::vector<std::string> notes;  // what the reader should know, a line each
};

// Throws Refused: options that cannot be, and what propagate() refuses. The model must not change before the schedule
// has been used: texts of it (report.h) take both.
Schedule compute(const Model& model, const Options& options = {});

// The CORBA priority of an RT_Info; the least one for what has no lane.
std::int32_t priority_of(const Schedule& schedule, Index info);

}  // namespace callis::scheduling
