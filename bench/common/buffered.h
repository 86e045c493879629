// SPDX-License-Identifier: Apache-2.0
// One-way calls that are held back and sent together.
#pragma once
#include "orb.h"
#include <stdexcept>

namespace bench {

// A reference whose one-way calls the ORB holds back until its buffer is full, or until a call that needs an answer.
// It belongs to an ORB of its own, with SyncScope NONE, which lives as long as the process.
inline ttcp_throughput_ptr hold_back([[maybe_unused]] CORBA::ORB_ptr orb,
                                     [[maybe_unused]] ttcp_throughput_ptr target) {
#ifdef BENCH_OMNIORB
  throw std::runtime_error("omniORB sends each one-way call at once");
#else
  char program[] = "client", option[] = "-ORBSyncScope", scope[] = "none";
  char* argv[] = {program, option, scope, nullptr};
  int argc = 3;
  static const CORBA::ORB_var other = CORBA::ORB_init(argc, argv, "held back");
  const CORBA::String_var text = orb->object_to_string(target);
  const CORBA::Object_var object = other->string_to_object(text);
  return ttcp_throughput::_narrow(object);
#endif
}

}  // namespace bench
