// SPDX-License-Identifier: Apache-2.0
// propagate(): at which rates each RT_Info runs, given the periods of some and who calls whom.
//
// A *stream* is an RT_Info together with a period at which it runs. Rules:
//
//  * An RT_Info with a period of its own has one stream, that period. One-way calls do not add to it.
//  * One without inherits from its one-way callers. Operation and Or: from all of them, the rates add up; callers of
//  the
//    same period make one stream with more executions a period, callers of different periods make several streams.
//    And: from the slowest caller alone, since it waits for all (of callers of the same rate, the one of longer
//    period).
//  * What is called two-way runs inside its caller: its time is part of the caller's, and it has no stream for that;
//  but
//    what it calls one-way is called as often as its caller calls it.
//  * What has neither period nor callers is *background*: it has no deadline, and runs when nothing else does.
//
// `Operation` inherits as the papers' rule for operations with several suppliers says (each event runs it); the
// papers' conjunction runs as often as its slowest supplier.
#pragma once
#include <services/scheduling/model.h>

namespace callis::scheduling {

struct Stream {
  Index info = kNobody;
  Time period{0};
  std::int64_t executions = 1;  // in each period
  // True: runs inside its callers, which pay for it. It passes on their rates only.
  bool inside = false;
  std::vector<std::size_t> feeders;  // the streams that call it; empty: the clock
};

struct Streams {
  std::vector<Index> order;                  // every RT_Info, callers before what they call
  std::vector<Time> execution;               // of each RT_Info: its own and what it calls two-way, all the way down
  std::vector<Stream> streams;               // in the order of `order`
  std::vector<std::vector<std::size_t>> of;  // of each RT_Info: its streams
  std::vector<bool> background;              // each RT_Info
};

// Refuses a cycle with its path ("'A' calls 'B' calls 'A'"), an operation without an execution time, and what has
// more streams than the model's bounds allow. Takes time and memory in proportion to RT_Infos, dependencies and
// streams.
Streams propagate(const Model& model);

}  // namespace callis::scheduling
