// SPDX-License-Identifier: Apache-2.0
// What callis schedule does. Each returns the exit status, and throws what main() explains: Failure, Refused.
#pragma once
#include <callis/corba.h>
#include <services/scheduling/model.h>
#include <tools/schedule/arguments.h>

namespace callis::scheduling {

inline constexpr int kNotSchedulable = 1, kWrongUsage = 2, kCannot = 3, kSystemException = 4;

// Ends the program.
struct Failure {
  int status;
  std::string text;
};

// The files' operations, with what was measured. Notes go to the standard error.
Model read_model(const Arguments& arguments, const Bounds& bounds);
int schedule(const Arguments& arguments);
// Until a signal ends it. argv: as that of main(), without the word serve.
int serve(int argc, char** argv, const char* usage);

}  // namespace callis::scheduling
