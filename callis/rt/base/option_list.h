// SPDX-License-Identifier: Apache-2.0
// The options of real time, which programs that include callis/rt.h have.
#pragma once
#include <callis/orb/options/option_list.h>

namespace callis::rt {

// Says whether threads get priorities of the operating system: as far as the process has the right; always, or there
// is no ORB; never.
enum class RealTimeMode : std::uint8_t { Preferred, Required, Off };

struct RealTimeOptions {
  RealTimeMode mode = RealTimeMode::Preferred;
  std::uint8_t mapping = 0;          // MappingKind
  std::uint8_t network_mapping = 0;  // NetworkMappingKind
  bool lock_memory = false;
  std::uint32_t most_propagated = 32767;
  std::uint32_t lane_port = 0;
  bool spin_said = false;  // -ORBSpin, of the ORB's own options, is among those that were given

  // Returns the options of the command line by which the calling thread makes an ORB.
  static RealTimeOptions& of_this_thread();
};

namespace option_list {

using orb::OptionKind;
using orb::OptionSpec;
#define CALLIS_OPTION_FIELD(member) \
  offsetof(RealTimeOptions, member), sizeof(static_cast<RealTimeOptions*>(nullptr)->member)

inline constexpr OptionSpec kOptionList[] = {
    {"RealTime", OptionKind::Choice, CALLIS_OPTION_FIELD(mode), 0, 0, "", "preferred|required|off",
     "whether threads get priorities of the operating system: where the process may, and it says when not; or there "
     "is no ORB; or never"},
    {"PriorityMapping", OptionKind::Choice, CALLIS_OPTION_FIELD(mapping), 0, 0, "", "continuous|direct|linear",
     "from CORBA priorities to those of SCHED_FIFO: 0 is the least one, 1 the next; or the same numbers; or all of 0 "
     "to 32767, spread evenly"},
    {"NetworkPriorityMapping", OptionKind::Choice, CALLIS_OPTION_FIELD(network_mapping), 0, 0, "",
     "classes|linear",
     "from CORBA priorities to the code points of TCP connections that have network priorities: 0, CS2 to CS5 and "
     "EF, spread evenly over the native priorities; or 0, CS1 to CS7, AF11 to AF43 and EF, over all of 0 to 32767"},
    {"LockMemory", OptionKind::Choice, CALLIS_OPTION_FIELD(lock_memory), 0, 0, "", "0|1",
     "1: the memory of the process stays in RAM, that of now and of later"},
    {"MaxPropagatedPriority", OptionKind::Number, CALLIS_OPTION_FIELD(most_propagated), 0, 32767, "", "",
     "greatest priority that clients are believed to have; requests of theirs above it are executed at it"},
    {"LanePort", OptionKind::Number, CALLIS_OPTION_FIELD(lane_port), 0, 65535, "", "",
     "TCP port of the first lane of a thread pool; further lanes take the ports behind it, in the order in which "
     "they are made; 0: any that are free"},
};
#undef CALLIS_OPTION_FIELD

}  // namespace option_list

using option_list::kOptionList;

// Lets ORBs know the options.
void use_options();

}  // namespace callis::rt
