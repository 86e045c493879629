// SPDX-License-Identifier: Apache-2.0
// callis: runs the program behind a command. `callis idl bank.idl` is `callis-idl bank.idl`; this
// program knows no command itself but `help`. Exit status 2: there is no such command.
#include <tools/callis/programs.h>
#include <services/programs/usage.h>
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

// What stands beside a program in the list; empty for those of others.
const char* description(std::string_view name) {
  static constexpr struct {
    std::string_view name;
    const char* says;
  } kPrograms[] = {
      {"bridge", "stands between clients and objects, and forwards their calls"},
      {"browse", "shows objects in a web browser: names, operations, calls"},
      {"call", "calls an operation of any object, with JSON for arguments and results"},
      {"config", "lists the options of the ORB that are in force, and where each comes from"},
      {"describe", "prints an object's interface as IDL"},
      {"events", "serves event channels; their clients: push, pull, watch, ls"},
      {"idl", "compiles IDL to C++"},
      {"ifr", "serves an Interface Repository; its clients: feed, ls, show"},
      {"imr", "starts servers when they are called; its operators' commands: add, ls, stop ..."},
      {"ior", "says what is in an object reference, and whether its addresses answer"},
      {"lifecycle", "finds who makes objects, and has them made"},
      {"log", "lists, shows, queries and exports the logs of a log service"},
      {"logging", "serves logs of records, and programs' own log lines"},
      {"naming", "serves names of objects"},
      {"ns", "lists, binds, exports and imports the names of a naming service"},
      {"properties", "serves sets of named values"},
      {"schedule", "gives operations priorities, and says whether every deadline is met"},
      {"tls", "makes, revokes and shows the certificates of a site"},
      {"trade", "shows and changes what a trader has, and queries it"},
      {"trading", "serves offers with properties, found by constraints"},
  };
  for (const auto& p : kPrograms)
    if (p.name == name) return p.says;
  return "";
}

int list(std::FILE* out) {
  std::fputs("usage: callis COMMAND [ARGUMENTS]\n       callis help [COMMAND]\n\ncommands:\n", out);
  const auto programs = list_programs(directories());
  for (const std::string& name : programs) {
    const char* const about = description(name);
    std::fprintf(out, *about ? "  %-11s %s\n" : "  %s\n", name.c_str(), about);
  }
  std::fputs(programs.empty() ? "  (none is installed: no callis-* program beside this one or in PATH)\n"
                              : "\n'callis COMMAND --help' says more about one\n",
             out);
  return 0;
}

int unknown(const char* name) {
  std::fprintf(stderr, "callis: there is no command '%s'", name);
  const std::string near = programs::nearest(name, list_programs(directories()));
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
    std::puts(programs::version().c_str());
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
