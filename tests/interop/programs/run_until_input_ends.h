// SPDX-License-Identifier: Apache-2.0
// How the harness's servers live: until their standard input ends.
#pragma once
#include <thread>
#include <unistd.h>

namespace interop {

// Serves, and destroys the ORB in the end. Any ORB's.
template <class Orb>
void run_until_input_ends(Orb* orb) {
  std::thread stopper([orb] {
    char byte;
    while (::read(0, &byte, 1) > 0) {
    }
    orb->shutdown(false);
  });
  orb->run();
  stopper.join();
  orb->destroy();
}

}  // namespace interop
