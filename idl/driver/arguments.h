// SPDX-License-Identifier: Apache-2.0
// The command line of callis-idl.
#pragma once
#include <idl/backends/backend.h>
#include <idl/source/preprocess.h>
#include <string>
#include <vector>

namespace callis::idl::driver {

enum class Emit {
  Code,          // generated files
  Nothing,       // --syntax-only
  Ast,           // --emit ast: the dump of dump.h
  Json,          // --emit json
  Dependencies,  // --emit deps
  Preprocessed,  // -E
};

struct Arguments {
  std::vector<std::string> files;
  source::PreprocessOptions preprocess;
  Emit emit = Emit::Code;

  backends::Options output;  // without the choices, which need a unit
  std::string mapping;
  std::vector<std::string> stubs_for;  // --stubs-for, as written
  std::vector<std::string> profiles;
  unsigned share = 80;  // percent of the profiles' weight
  std::string directory = ".";

  bool depfiles = false;             // -MD: one for each IDL file, beside what is generated from it
  std::string depfile;               // -MF, --depfile: one for all
  std::vector<std::string> targets;  // -MT: instead of the generated files
  bool phony_targets = false;        // -MP

  bool wants_depfile() const { return depfiles || !depfile.empty(); }
};

// Reads the command line. Nothing to be done more where a status comes back: help and version have been printed (0),
// or what is wrong (2).
struct Parsed {
  Arguments arguments;
  bool end = false;
  int status = 0;
};
Parsed parse_arguments(int argc, char** argv);

}  // namespace callis::idl::driver
