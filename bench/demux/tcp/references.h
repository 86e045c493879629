// SPDX-License-Identifier: Apache-2.0
// The references that the server of the demultiplexing measurements leaves for its client, a line each: Counts, Demux,
// then every Obj. The same source for callis and for omniORB.
#pragma once
#include "../../common/options.h"
#include "../../common/orb.h"
#ifdef BENCH_OMNIORB
#include "demux.hh"
#else
#include "demux_skel.h"
#endif
#include <cstdio>
#include <stdexcept>
#include <string>
#include <vector>

namespace bench::demux {

inline constexpr std::size_t kOperations = 100;  // of Demux

// The file appears at once and whole.
inline void write_lines(const std::string& path, const std::vector<std::string>& lines) {
  const std::string before = path + ".new";
  {
    std::ofstream file(before);
    for (const std::string& line : lines) file << line << '\n';
  }
  if (std::rename(before.c_str(), path.c_str()) != 0) throw std::runtime_error("cannot write " + path);
}

inline std::vector<std::string> read_lines(const std::string& path) {
  std::ifstream file(path);
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);) lines.push_back(line);
  if (lines.size() < 3) throw std::runtime_error("no references in " + path);
  return lines;
}

}  // namespace bench::demux
