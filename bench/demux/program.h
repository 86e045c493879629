// SPDX-License-Identifier: Apache-2.0
// main() of the programs that measure within one process: their options (rounds.h), and an ORB that no other process
// reaches.
#pragma once
#include <callis/corba.h>
#include <cstdio>
#include <exception>
#include <string>
#include "rounds.h"

namespace bench::demux {

// body(sizes). Exceptions become a message and exit status 1.
template <class Body>
int measure(int argc, char** argv, Body&& body) {
  try {
    body(Sizes(argc, argv));
    return 0;
  } catch (const CORBA::Exception& e) {
    std::fprintf(stderr, "bench: %s\n", e.what());
  } catch (const std::exception& e) {
    std::fprintf(stderr, "bench: %s\n", e.what());
  }
  return 1;
}

// The same with an ORB: body(orb, sizes). name: of its memory endpoint.
template <class Body>
int measure_with_orb(int argc, char** argv, std::string name, Body&& body) {
  return measure(argc, argv, [&](const Sizes& sizes) {
    std::string option = "-ORBEndpoint", endpoint = "memory:" + name;
    char* orb_argv[] = {name.data(), option.data(), endpoint.data(), nullptr};
    int orb_argc = 3;
    const CORBA::ORB_var orb = CORBA::ORB_init(orb_argc, orb_argv);
    body(orb.in(), sizes);
    orb->destroy();
  });
}

}  // namespace bench::demux
