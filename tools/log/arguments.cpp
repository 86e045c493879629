// SPDX-License-Identifier: Apache-2.0
#include <services/programs/usage.h>
#include <tools/log/arguments.h>
#include <charconv>

namespace callis::logs {

namespace {

constexpr tools::Command kCommands[] = {
    {"ls", 0, 0, " --json "},
    {"tail", 0, 1, " --lines= --follow --level= --json "},
    {"query", 1, 2, " --most= --json "},
    {"export", 0, 2, " --most= "},
};

}  // namespace

std::optional<std::uint64_t> number_of(const std::string& text, std::uint64_t most) {
  std::uint64_t out = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
  if (error != std::errc() || end != text.data() + text.size() || out > most) return {};
  return out;
}

Arguments read_arguments(int argc, char** argv) {
  Arguments out = tools::read_command_line(kCommands, "--service", argc, argv);
  for (const char* const number : {"--lines", "--most", "--level"})
    if (out.problem.empty() && out.has(number) && !number_of(out.value(number), 8'000'000))
      out.problem =
          std::string(number) + " is a number up to 8000000, not '" + programs::escaped(out.value(number)) + "'";
  return out;
}

}  // namespace callis::logs
