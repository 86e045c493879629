// SPDX-License-Identifier: Apache-2.0
// Skeletons alone, of which the program uses nothing.
#include "alone_skel.h"
#include "promises.h"

int main() {
  return promises::run([](CORBA::ORB_ptr orb) {
    promises::resolves(orb, "RootPOA");
    promises::resolves(orb, "POACurrent");
  });
}
