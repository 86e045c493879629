// SPDX-License-Identifier: Apache-2.0
// The mappings between CORBA priorities and those of SCHED_FIFO that -ORBPriorityMapping selects.
#pragma once
#include <callis/rt/priorities/priority_mapping.h>
#include <memory>

namespace callis::rt {

// The native priorities of SCHED_FIFO; 1 to 99 on Linux.
struct NativeRange {
  int least, most;
  static NativeRange of_fifo();
};

// In the order of the option's words. Continuous: CORBA priority 0 is the least native one, 1 the next. Direct: a
// CORBA priority is the native priority of the same number. Linear: all of 0 to 32767, spread evenly over the native
// ones.
enum class MappingKind : std::uint8_t { Continuous, Direct, Linear };

std::unique_ptr<RTCORBA::PriorityMapping> make_mapping(MappingKind kind, NativeRange range);

}  // namespace callis::rt
