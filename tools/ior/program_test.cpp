// SPDX-License-Identifier: Apache-2.0
// The program: where the text comes from, and its exit status.
#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <tools/ior/testing/foreign_references.h>
#include <tools/ior/testing/text.h>
#include <cstdio>
#include <filesystem>
#include <fstream>

namespace callis::tools {
namespace {

using testing::has;

struct Ended {
  int status = -1;
  std::string output;  // both streams
};

// By way of the dispatcher.
Ended run(const std::string& arguments, const std::string& before = "") {
  const std::string command = before + CALLIS_BINARY_DIR + "/bin/callis ior " + arguments + " 2>&1";
  Ended out;
  std::FILE* pipe = ::popen(command.c_str(), "r");
  char buffer[512];
  while (const std::size_t n = std::fread(buffer, 1, sizeof buffer, pipe)) out.output.append(buffer, n);
  const int status = ::pclose(pipe);
  out.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return out;
}

TEST(IorProgram, TakesTextFileAndStandardInput) {
  const std::string text = testing::kJacOrbReference;
  const Ended direct = run(text);
  EXPECT_EQ(direct.status, 0);
  EXPECT_TRUE(has(direct.output, "made by: JacORB\n")) << direct.output;
  std::string name = (std::filesystem::temp_directory_path() / "callis_ior_XXXXXX").string();
  ::close(::mkstemp(name.data()));
  std::ofstream(name) << "ready\n" << text << "\n";
  EXPECT_EQ(run(name).output, direct.output);
  EXPECT_EQ(run("-", "cat " + name + " | ").output, direct.output);
  std::filesystem::remove(name);
}

TEST(IorProgram, SaysWhatIsNoReference) {
  const Ended digits = run("IOR:00zz");
  EXPECT_EQ(digits.status, 1);
  EXPECT_EQ(digits.output, "callis ior: at offset 6: 'z' is not a hexadecimal digit\n  IOR:00zz\n        ^\n");
  const Ended nothing = run("/nowhere/at.all");
  EXPECT_EQ(nothing.status, 1);
  EXPECT_TRUE(has(nothing.output, "neither a reference")) << nothing.output;
  const Ended empty = run("- < /dev/null");
  EXPECT_EQ(empty.status, 1);
  EXPECT_TRUE(has(empty.output, "no line of the standard input begins with IOR:")) << empty.output;
}

TEST(IorProgram, SaysHowItIsUsed) {
  EXPECT_EQ(run("").status, 2);
  EXPECT_EQ(run("--wrong x").status, 2);
  EXPECT_EQ(run("--ping --timeout 0 IOR:00").status, 2);
  EXPECT_EQ(run("IOR:00 IOR:00").status, 2);
  EXPECT_EQ(run("--help").status, 0);
}

TEST(IorProgram, EndsWith3WhenNoAddressLeadsToTheObject) {
  const Ended r = run("--json --ping --timeout 1000 corbaloc::127.0.0.1:1/Bank");
  EXPECT_EQ(r.status, 3);
  EXPECT_TRUE(has(r.output, "\"object_here\": false")) << r.output;
}

}  // namespace
}  // namespace callis::tools
