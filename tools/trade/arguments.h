// SPDX-License-Identifier: Apache-2.0
// The command line of callis trade.
#pragma once
#include <tools/ior/client_program.h>
#include <tools/ior/command_line.h>

namespace callis::trade {

using Arguments = tools::CommandLine;

Arguments read_arguments(int argc, char** argv);

using tools::Failure, tools::kCannot, tools::kWrongUsage, tools::kUserException, tools::kSystemException;

}  // namespace callis::trade
