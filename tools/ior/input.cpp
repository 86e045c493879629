// SPDX-License-Identifier: Apache-2.0
#include <tools/ior/input.h>
#include <tools/ior/report.h>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iostream>

namespace callis::tools {

namespace {

constexpr std::size_t kMostBytes = 4u << 20;  // of a file

}  // namespace

bool read_reference(const std::string& argument, std::string& text, std::string& problem) {
  if (looks_like_reference(argument)) {
    text = argument;
    return true;
  }
  std::ifstream file;
  const std::string name = argument.starts_with('@') ? argument.substr(1) : argument;
  if (argument != "-") {
    file.open(name, std::ios::binary);
    if (!file) {
      problem = "'" + escaped(name) +
                "' is neither a reference (IOR:, corbaloc:, corbaname:) nor a file: " + std::strerror(errno);
      return false;
    }
  }
  std::istream& in = argument == "-" ? std::cin : file;
  text.resize(kMostBytes + 1);
  in.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(in.gcount()));
  if (text.size() > kMostBytes) {
    problem = "'" + escaped(name) + "' has more than 4 MiB: no file with a reference";
    return false;
  }
  const std::string line(find_reference(text));
  if (!looks_like_reference(line)) {
    problem = "no line of " + (argument == "-" ? "the standard input" : "'" + escaped(name) + "'") +
              " begins with IOR:, corbaloc: or corbaname:";
    return false;
  }
  text = line;
  return true;
}

}  // namespace callis::tools
