// SPDX-License-Identifier: Apache-2.0
#include <callis/dynamic_any.h>
#include "promises.h"

int main() {
  return promises::run([](CORBA::ORB_ptr orb) { promises::resolves(orb, "DynAnyFactory"); });
}
