// SPDX-License-Identifier: Apache-2.0
// How the harness's servers live: until their standard input ends.
#pragma once
#include <thread>
#include <unistd.h>
#ifdef INTEROP_MICRO
#include <callis/micro/loop.h>
#include <poll.h>
#endif

namespace interop {

// Serves, and destroys the ORB in the end. Any ORB's.
template <class Orb>
void run_until_input_ends(Orb* orb) {
#ifdef INTEROP_MICRO  // which has one thread
  struct Input final : callis::micro::Source {
    explicit Input(Orb* o) : orb(o) {
      fd = 0;
      wanted = POLLIN;
    }
    void ready() noexcept override {
      char byte;
      if (::read(0, &byte, 1) <= 0) orb->shutdown(false);
    }
    void late() noexcept override {}
    Orb* const orb;
  } input(orb);
  callis::micro::Loop::instance().add(input);
  orb->run();
  callis::micro::Loop::instance().remove(input);
#else
  std::thread stopper([orb] {
    char byte;
    while (::read(0, &byte, 1) > 0) {
    }
    orb->shutdown(false);
  });
  orb->run();
  stopper.join();
#endif
  orb->destroy();
}

}  // namespace interop
