// SPDX-License-Identifier: Apache-2.0
// The command line of callis schedule.
#pragma once
#include <idl/source/preprocess.h>
#include <services/scheduling/schedule.h>
#include <span>
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
  idl::source::PreprocessOptions preprocess;
  std::string problem;  // what is wrong; empty: nothing
};

Arguments read_arguments(int argc, char** argv);

// Of serve: takes the first of these words, with its value, if it is a file or an option of files; the others are the
// frame's (services/common/program.h). Returns how many it has taken.
std::size_t take_file_words(std::span<const std::string> words, Arguments& out);

}  // namespace callis::scheduling
