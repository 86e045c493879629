// SPDX-License-Identifier: Apache-2.0
// The command line of the clients callis events {push,pull,watch,ls,names,forget}.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace callis::events {

struct Arguments {
  std::string command, reference;
  std::vector<std::string> words;  // of push: the events; of forget: names
  std::string name;                // pull, watch: of the consumer; empty: it has none
  bool json = false, types = false;
  std::uint64_t count = 0;         // pull, watch: ends after so many; 0: does not
  std::uint64_t interval_ms = 0;   // push: between two events
  std::uint64_t source = 0, type = 0, ttl = 1;  // push, watch: of events of real-time channels; watch: 0 is any
  std::vector<std::string> orb;    // -ORBoption value ...
  std::string problem;             // what is wrong; empty: nothing
};

bool is_client_command(const std::string& word);
Arguments read_arguments(int argc, char** argv);
const char* client_usage();

inline constexpr int kCannot = 1, kWrongUsage = 2, kUserException = 3, kSystemException = 4;

}  // namespace callis::events
