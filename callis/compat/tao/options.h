// SPDX-License-Identifier: Apache-2.0
// TAO's options in callis's words: of the command line (options.cpp), and of svc.conf (svc_conf.cpp). Not installed.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace callis::compat {

// The result: arguments for callis's ORB_init, and lines for the log.
struct TaoWords {
  std::vector<std::string> words;
  std::vector<std::string> notes;

  void note(std::string_view what, std::string_view says);
};

// Where an option stands: the same name may mean another thing on the command line.
enum class TaoPlace { CommandLine, SvcConf };

// The options in `given`, in order. place_text: what notes begin with, as in "svc.conf:3: "; empty for the command
// line. Other words of the command line are left as they are; of svc.conf they are notes.
void translate(const std::vector<std::string>& given, TaoPlace place, std::string_view place_text, TaoWords& to);

// A file of directives for ACE's service configurator, in its plain form or in XML. Returns false if the file cannot
// be read. A file has at most 1 MiB.
bool read_svc_conf(const std::string& path, TaoWords& to);
// One directive, or the text of a file.
void read_directives(std::string_view text, const std::string& name, TaoWords& to);

}  // namespace callis::compat
