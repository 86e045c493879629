// SPDX-License-Identifier: Apache-2.0
// The table of the ORB's options, and what is in force, as text.
#pragma once
#include <callis/orb/options/option_names.h>
#include <string>

namespace callis::tools {

// One option's value in o, as it would be given; several with blanks between them; empty for none.
std::string value_text(const orb::Options& o, std::size_t option);

// The table for people at a terminal, each option with its default.
std::string help_text();
// The table as Markdown, and the one of other ORBs' names: the middle part of docs/guide/options.md.
std::string markdown();

// Reads the options as an ORB would, and says of each its value and where that comes from.
// Error: Fault::BadText with the text that ORB_init throws.
Result<std::string> in_force(int& argc, char** argv);

}  // namespace callis::tools
