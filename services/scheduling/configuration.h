// SPDX-License-Identifier: Apache-2.0
// Configuration: of a schedule what a server needs to make its adapters of: the lanes of its thread pool, and the
// priority of each operation; and what dynamic schedulers ask for by name. Its text is JSON
// (docs/guide/scheduling.md):
//
//   {"format": "callis-rt-configuration 1", "policy": "rate-monotonic", "schedulable": true,
//    "lanes": [{"priority": 0, "static_threads": 1}, ...],
//    "operations": [{"name": "Nav::Display::update", "priority": 89, "wcet": 2000000, "period": 25000000,
//                    "deadline": 25000000, "criticality": "high", "importance": "medium", "quantum": 0}, ...]}
//
// Lanes from the lowest priority. Times are nanoseconds.
#pragma once
#include <services/scheduling/schedule.h>

namespace callis::scheduling {

struct Configuration {
  struct ConfiguredLane {
    std::int32_t priority = 0;
    std::uint32_t static_threads = 1;
  };
  struct ConfiguredOperation {
    std::string name;
    std::int32_t priority = 0;                               // of one of the lanes
    Time worst_case{0}, period{0}, deadline{0}, quantum{0};  // period 0: none
    Criticality criticality = Criticality::Medium;
    Importance importance = Importance::Medium;
  };

  Policy policy = Policy::RateMonotonic;
  bool schedulable = false;
  std::vector<ConfiguredLane> lanes;            // priorities rise
  std::vector<ConfiguredOperation> operations;  // by name

  // nullptr: there is none.
  const ConfiguredOperation* find(std::string_view name) const;
};

Configuration configuration_of(const Model& model, const Schedule& schedule);
std::string to_text(const Configuration& configuration);

inline constexpr std::size_t kMostConfiguredLanes = 1000, kMostConfiguredOperations = 100'000;
inline constexpr std::uint32_t kMostConfiguredThreads = 10'000;  // of one lane

// Bounded, and checked: priorities of 0 to 32767 that rise from lane to lane, operations with the priority of a lane,
// names that are there once. Throws Refused: "file:line:column: error: ...".
Configuration read_configuration(std::string_view text, const std::string& file);

}  // namespace callis::scheduling
