// SPDX-License-Identifier: Apache-2.0
// What all stub styles offer to the tests: the same cases, run against their own generated code.
#pragma once
#include "loopback.h"
#include <string_view>
#include <vector>

namespace cases {

// One operation of Values: sends random values in all directions, checks what arrives and what comes back.
struct Case {
  std::string_view operation;
  // False when a value did not survive. Throws what the stub throws.
  bool (*run)(unsigned seed);
};

struct Style {
  std::string_view name;
  std::vector<Case> cases;
  PortableServer::ServantBase& (*values_servant)();
};

const Style& interpreted();
const Style& compiled();
const Style& hybrid();

}  // namespace cases
