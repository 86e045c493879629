// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <callis/corba.h>
#include <cstdint>
#include <string>

namespace callis::rtevents {

// Gives real time to ORBs that are made from now on, as in a program that includes callis/rt.h. Threads of lanes get
// priorities, and the ORB warns if the process may not have them.
void use_real_time();

// Gives the calling thread a CORBA priority, and that of the operating system where the process may have it. Empty,
// or what is wrong. Without real time in the ORB nothing happens.
std::string run_at(CORBA::ORB_ptr orb, std::int16_t priority) noexcept;

}  // namespace callis::rtevents
