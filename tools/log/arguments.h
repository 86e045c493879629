// SPDX-License-Identifier: Apache-2.0
// The command line of callis log.
#pragma once
#include <tools/ior/client_program.h>
#include <tools/ior/command_line.h>
#include <cstdint>
#include <optional>
#include <string>

namespace callis::logs {

using Arguments = tools::CommandLine;

Arguments read_arguments(int argc, char** argv);

// Of digits alone, not more than `most`.
std::optional<std::uint64_t> number_of(const std::string& text, std::uint64_t most);

using tools::Failure, tools::kCannot, tools::kWrongUsage, tools::kUserException, tools::kSystemException;

}  // namespace callis::logs
