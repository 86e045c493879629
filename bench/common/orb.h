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
#include <cstring>
#include <exception>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

namespace bench {

#ifdef BENCH_OMNIORB
inline std::string words_of(const CORBA::Exception& e) { return e._name(); }
#else
inline std::string words_of(const CORBA::Exception& e) { return e.what(); }
#endif

// The command line without the options that are the ORB's.
inline std::vector<char*> without_orb_options(int argc, char** argv) {
  std::vector<char*> rest;
  for (int i = 0; i < argc; ++i) {
    if (std::strncmp(argv[i], "-ORB", 4) == 0) ++i;
    else rest.push_back(argv[i]);
  }
  return rest;
}

// Runs body and turns exceptions into a message and exit status 1.
template <class Body>
int run_guarded(Body&& body) {
  try {
    return body();
  } catch (const CORBA::Exception& e) {
    std::cerr << "bench: " << words_of(e) << '\n';
  } catch (const std::exception& e) {
    std::cerr << "bench: " << e.what() << '\n';
  }
  return 1;
}

}  // namespace bench
