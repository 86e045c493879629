// SPDX-License-Identifier: Apache-2.0
// callis: runs the program behind a command. `callis idl bank.idl` is `callis-idl bank.idl`; this
// program knows no command itself but `help`. Exit status 2: there is no such command.
#include <tools/callis/programs.h>
#include <unistd.h>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>

namespace callis::tools {

namespace {

constexpr int kWrongUsage = 2;
constexpr int kCannotRun = 126;

std::vector<std::string> directories() {
  std::error_code ignored;
  const auto own = std::filesystem::read_symlink("/proc/self/exe", ignored).parent_path();
  const char* path = std::getenv("PATH");
  return search_directories(own.string(), path != nullptr ? path : "");
}

int list(std::FILE* out) {
  std::fputs("usage: callis COMMAND [ARGUMENTS]\n       callis help [COMMAND]\n\ncommands:\n", out);
  const auto programs = list_programs(directories());
  for (const std::string& name : programs) {
    std::fprintf(out, "  %s\n", name.c_str());
  }
  if (programs.empty()) {
    std::fputs("  (none is installed: no callis-* program beside this one or in PATH)\n", out);
  }
  return 0;
}

int unknown(const char* name) {
  std::fprintf(stderr, "callis: there is no command '%s'", name);
  const std::string near = nearest(name, list_programs(directories()));
  if (!near.empty()) {
    std::fprintf(stderr, "; did you mean '%s'?", near.c_str());
  }
  std::fputs("\n'callis help' lists the commands\n", stderr);
  return kWrongUsage;
}

// Does not return where the program could be started. `arguments`: argv[1] on, null at the end.
int run(const char* name, char** arguments) {
  const auto program = find_program(directories(), name);
  if (!program) {
    return unknown(name);
  }
  std::vector<char*> argv{const_cast<char*>(program->c_str())};
  for (; *arguments != nullptr; ++arguments) {
    argv.push_back(*arguments);
  }
  argv.push_back(nullptr);
  ::execv(program->c_str(), argv.data());
  std::fprintf(stderr, "callis: cannot run %s: %s\n", program->c_str(), std::strerror(errno));
  return kCannotRun;
}

int dispatch(int argc, char** argv) {
  const std::string_view command = argc > 1 ? argv[1] : "help";
  if (command == "--version") {
    std::puts("callis " CALLIS_VERSION);
    return 0;
  }
  if (command == "help" || command == "--help" || command == "-h") {
    if (argc < 3) {
      return list(stdout);
    }
    char help[] = "--help";
    char* arguments[] = {help, nullptr};
    return run(argv[2], arguments);
  }
  return run(argv[1], argv + 2);
}

}  // namespace

}  // namespace callis::tools

int main(int argc, char** argv) { return callis::tools::dispatch(argc, argv); }
