// SPDX-License-Identifier: Apache-2.0
// The command line of callis schedule.
#pragma once
#include <idl/source/preprocess.h>
#include <services/scheduling/schedule.h>
#include <string>
#include <vector>

namespace callis::scheduling {

struct Arguments {
  enum class Output { Table, Json, Header, Svg, Configuration };
  bool serve = false;
  std::vector<std::string> json_files, idl_files, measured_files;
  std::uint32_t margin_percent = 0;
  Options options;
  Output output = Output::Table;
  std::string name_space = "schedule";
  Time span{0};
  std::string output_file;  // empty: the standard output
  std::string ior_file;     // of serve
  idl::source::PreprocessOptions preprocess;
  std::vector<std::string> orb;  // -ORBoption value ...
  std::string problem;           // what is wrong; empty: nothing
};

Arguments read_arguments(int argc, char** argv);

}  // namespace callis::scheduling
