// SPDX-License-Identifier: Apache-2.0
#include <tools/trade/arguments.h>

namespace callis::trade {

namespace {

constexpr std::size_t kAny = 10'000;
constexpr tools::Command kCommands[] = {
    {"types", 0, kAny, " --interface= --super= --all "},
    {"offer", 2, kAny, " --proxy= --match-all "},
    {"modify", 1, kAny, " --delete= "},
    {"show", 1, 1, " "},
    {"ls", 0, 0, " --proxies "},
    {"query", 1, 2,
     " --prefer= --properties= --most= --exact --follow= --hops= --policy= --via= --references --json "},
    {"withdraw", 1, kAny, " --type= "},
    {"link", 0, 3, " --pass-on= --limit= "},
    {"settings", 0, kAny, " "},
};

}  // namespace

Arguments read_arguments(int argc, char** argv) {
  return tools::read_command_line(kCommands, "--trader", argc, argv);
}

}  // namespace callis::trade
