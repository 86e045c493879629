// SPDX-License-Identifier: Apache-2.0
// The command line that the programs of all systems have in common: PROGRAM SUITE [--name value]... [--flag]...
// No middleware in here.
#pragma once
#include <cstdint>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace bench {

// The value of "--name value"; the last one counts.
inline std::string option(int argc, char** argv, const std::string& name, std::string otherwise) {
  for (int i = 1; i + 1 < argc; ++i)
    if (argv[i] == "--" + name) otherwise = argv[i + 1];
  return otherwise;
}

inline bool flag(int argc, char** argv, const std::string& name) {
  for (int i = 1; i < argc; ++i)
    if (argv[i] == "--" + name) return true;
  return false;
}

inline std::vector<std::string> split(const std::string& words) {
  std::istringstream in(words);
  std::vector<std::string> found;
  for (std::string word; std::getline(in, word, ',');) found.push_back(word);
  return found;
}

// A number of at least 1.
inline std::uint64_t number(const std::string& text) {
  std::size_t used = 0;
  const unsigned long long n = text.empty() || text[0] == '-' ? 0 : std::stoull(text, &used);
  if (n == 0 || used != text.size()) throw std::runtime_error("not a number of at least 1: " + text);
  return n;
}

// Bytes in "64K" or "1M".
inline std::uint64_t bytes_of(const std::string& size) {
  const char unit = size.empty() ? ' ' : size.back();
  if (unit != 'K' && unit != 'M') throw std::runtime_error("not a size such as 64K or 1M: " + size);
  return number(size.substr(0, size.size() - 1)) << (unit == 'K' ? 10 : 20);
}

}  // namespace bench
