// SPDX-License-Identifier: Apache-2.0
// Generator: a test that runs callis-idl in a folder of its own.
#pragma once
#include <gtest/gtest.h>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace generator {

namespace fs = std::filesystem;

class Generator : public testing::Test {
 protected:
  Generator() {
    char name[] = "/tmp/callis-generator-XXXXXX";
    folder_ = ::mkdtemp(name);
  }
  ~Generator() override { fs::remove_all(folder_); }

  void write(const std::string& name, const std::string& text) {
    fs::create_directories((folder_ / name).parent_path());
    std::ofstream(folder_ / name) << text;
  }
  std::string read(const std::string& name) {
    std::ostringstream s;
    s << std::ifstream(folder_ / name).rdbuf();
    return s.str();
  }
  bool exists(const std::string& name) { return fs::exists(folder_ / name); }
  // True on success; output() has what it printed.
  bool compile(const std::string& arguments) {
    const std::string command =
        "cd '" + folder_.string() + "' && '" CALLIS_BINARY_DIR "/bin/callis-idl' " + arguments + " 2>&1";
    output_.clear();
    FILE* pipe = ::popen(command.c_str(), "r");
    char block[512];
    while (const std::size_t n = std::fread(block, 1, sizeof block, pipe)) output_.append(block, n);
    return ::pclose(pipe) == 0;
  }
  // Compiles text as x.idl, which must fail, and gives the first line of the message.
  std::string refused(const std::string& text) {
    write("x.idl", text);
    EXPECT_FALSE(compile("x.idl"));
    EXPECT_FALSE(exists("x.h"));
    return output_.substr(0, output_.find('\n'));
  }
  fs::path folder_;
  std::string output_;
};

}  // namespace generator
