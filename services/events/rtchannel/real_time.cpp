// SPDX-License-Identifier: Apache-2.0
// This file does not include callis/rt.h: a program that includes it always has real time, and callis events wants
// real time only on request.
#include <callis/orb/core/core.h>
#include <callis/rt/core/real_time_orb.h>
#include <services/events/rtchannel/real_time.h>

namespace callis::rt {
bool use();  // of callis/rt.h
}

namespace callis::rtevents {

void use_real_time() { (void)rt::use(); }

std::string run_at(CORBA::ORB_ptr orb, std::int16_t priority) noexcept {
  const orb::Counted<rt::RealTimeOrb> its = rt::RealTimeOrb::find(*static_cast<orb::Core*>(orb));
  if (!its) return {};
  const int error = its->try_run_at(priority);
  return error == 0 ? std::string() : its->words_for(priority, error);
}

}  // namespace callis::rtevents
