// SPDX-License-Identifier: Apache-2.0
#include <callis/corba.h>
#include "promises.h"

int main() {
  return promises::run([](CORBA::ORB_ptr) {});
}
