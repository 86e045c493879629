// SPDX-License-Identifier: Apache-2.0
// One-way calls that are held back and sent together.
#pragma once
#include "orb.h"
#include <stdexcept>

namespace bench {

// A reference whose one-way calls the ORB holds back until its buffer is full, or until a call that needs an answer.
inline ttcp_throughput_ptr hold_back(CORBA::ORB_ptr, ttcp_throughput_ptr) {
#ifdef BENCH_OMNIORB
  throw std::runtime_error("omniORB sends each one-way call at once");
#else
  throw std::runtime_error("callis sends each one-way call at once");
#endif
}

}  // namespace bench
