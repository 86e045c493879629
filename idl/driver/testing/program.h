// SPDX-License-Identifier: Apache-2.0
// For tests of callis-idl as users run it: a directory that goes away with the test, and the program in it.
#pragma once
#include <idl/source/preprocess.h>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace callis::idl::driver::testing {

namespace fs = std::filesystem;

class Scratch : public ::testing::Test {
 protected:
  Scratch() {
    std::string name = (fs::temp_directory_path() / "callis_idl_XXXXXX").string();
    dir_ = ::mkdtemp(name.data());
  }
  ~Scratch() override {
    fs::permissions(dir_, fs::perms::owner_all);
    fs::remove_all(dir_);
  }

  void write(const std::string& name, const std::string& text) {
    fs::create_directories((dir_ / name).parent_path());
    std::ofstream(dir_ / name, std::ios::binary) << text;
  }
  std::string read(const std::string& name) {
    return source::read_from_disk((dir_ / name).string()).value_or("(none)");
  }
  std::vector<std::string> files(const std::string& in) {
    std::vector<std::string> out;
    if (fs::exists(dir_ / in)) {
      for (const auto& entry : fs::directory_iterator(dir_ / in)) {
        out.push_back(entry.path().filename().string());
      }
    }
    std::sort(out.begin(), out.end());
    return out;
  }

  fs::path dir_;
};

class Program : public Scratch {
 protected:
  // callis-idl in the scratch directory; the output of both streams in output_.
  int run(const std::string& arguments) {
    const std::string command = "cd '" + dir_.string() + "' && " + CALLIS_BINARY_DIR +
                                "/bin/callis-idl " + arguments + " 2>&1";
    std::FILE* pipe = ::popen(command.c_str(), "r");
    output_.clear();
    char buffer[512];
    while (const std::size_t n = std::fread(buffer, 1, sizeof buffer, pipe)) {
      output_.append(buffer, n);
    }
    const int status = ::pclose(pipe);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }
  std::string output_;
};

}  // namespace callis::idl::driver::testing
