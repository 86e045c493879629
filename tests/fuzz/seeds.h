// SPDX-License-Identifier: Apache-2.0
// The corpus that a fuzz target starts from: it writes it itself into a directory that is still empty.
#pragma once
#include <callis/base/bytes.h>
#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

namespace callis::fuzz {

// make(i) is the i-th of n inputs. The directory is the first argument that is no option, as libFuzzer has it.
template <class Make>
void write_seeds(int argc, char** argv, std::size_t n, Make make) {
  for (int i = 1; i < argc; ++i) {
    if (argv[i][0] == '-') continue;
    const std::filesystem::path directory(argv[i]);
    if (!std::filesystem::is_directory(directory) || !std::filesystem::is_empty(directory)) return;
    for (std::size_t k = 0; k < n; ++k) {
      const std::vector<Byte> bytes = make(k);
      if (std::FILE* f = std::fopen((directory / ("seed" + std::to_string(k))).c_str(), "wb")) {
        std::fwrite(bytes.data(), 1, bytes.size(), f);
        std::fclose(f);
      }
    }
    return;
  }
}

}  // namespace callis::fuzz
