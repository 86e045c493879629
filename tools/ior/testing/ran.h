// SPDX-License-Identifier: Apache-2.0
// A program that a test runs by the shell, to its end.
#pragma once
#include <sys/wait.h>
#include <cstdio>
#include <string>

namespace callis::tools::testing {

struct Ended {
  int status = -1;     // -1: by a signal
  std::string output;  // both streams
};

inline Ended ran(const std::string& command) {
  Ended out;
  std::FILE* const pipe = ::popen((command + " 2>&1").c_str(), "r");
  char buffer[512];
  while (const std::size_t n = std::fread(buffer, 1, sizeof buffer, pipe)) out.output.append(buffer, n);
  const int status = ::pclose(pipe);
  out.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return out;
}

}  // namespace callis::tools::testing
