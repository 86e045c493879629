// SPDX-License-Identifier: Apache-2.0
// Instead of client.cpp, where callis was built without `callis call`.
#include <tools/events/client.h>
#include <cstdio>

namespace callis::events {

int run_client(const Arguments& arguments) {
  std::fprintf(stderr, "callis events %s: this callis was built without it, as without callis call: "
                       "nlohmann/json.hpp was missing\n", arguments.command.c_str());
  return kCannot;
}

}  // namespace callis::events
