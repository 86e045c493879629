// SPDX-License-Identifier: Apache-2.0
// The same measuring programs are built with callis and with omniORB: both speak the classic C++ mapping,
// and only header names differ. The build defines BENCH_OMNIORB for the latter.
#pragma once
#ifdef BENCH_OMNIORB
#include <omniORB4/CORBA.h>
#include "param_test.hh"
#include "ttcp_throughput.hh"
#else
#include <callis/corba.h>
#include <callis/portable_server.h>
#include "param_test_skel.h"
#include "ttcp_throughput_skel.h"
#endif
#include <exception>
#include <fstream>
#include <iostream>
#include <string>

namespace bench {

#ifdef BENCH_OMNIORB
inline std::string text(const CORBA::Exception& e) { return e._name(); }
#else
inline std::string text(const CORBA::Exception& e) { return e.what(); }
#endif

// Runs body and turns exceptions into a message and exit status 1.
template <class Body>
int guarded(Body&& body) {
  try {
    return body();
  } catch (const CORBA::Exception& e) {
    std::cerr << "bench: " << text(e) << '\n';
  } catch (const std::exception& e) {
    std::cerr << "bench: " << e.what() << '\n';
  }
  return 1;
}

}  // namespace bench
