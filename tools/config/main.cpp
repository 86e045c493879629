// SPDX-License-Identifier: Apache-2.0
// callis config: what an ORB with these arguments, in this environment, is told, and where each value comes from.
// Exit status 0; 1 when an option is wrong, with what ORB_init would say; 2 for wrong usage.
#include <tools/config/report.h>
#include <services/programs/usage.h>
#include <cstdio>
#include <cstring>

namespace {

constexpr char kUsage[] =
    "usage: callis config [-ORBoption value]...   what is in force, and where it comes from\n"
    "       callis config --help                  every option with its default\n"
    "       callis config --markdown              the same as tables of Markdown\n"
    "\n"
    "A value on the command line comes before one in the environment, that before one in the file that\n"
    "-ORBConfigFile or CALLIS_CONFIG names, that before the default.\n\n";

}  // namespace

int main(int argc, char** argv) {
  using namespace callis::tools;
  const std::string usage = kUsage + help_text();
  if (callis::programs::answers(argc, argv, usage)) return 0;
  if (argc == 2 && !std::strcmp(argv[1], "--markdown")) {
    std::fputs(markdown().c_str(), stdout);
    return 0;
  }
  const auto text = in_force(argc, argv);
  if (!text) {
    std::fprintf(stderr, "callis config: %s\n", text.error().detail.c_str());
    return 1;
  }
  if (argc > 1) return callis::programs::wrong_usage("callis config", callis::programs::unknown_word(argv[1]), usage);
  std::fputs(text.value().c_str(), stdout);
  return 0;
}
