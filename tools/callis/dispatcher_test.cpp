// SPDX-License-Identifier: Apache-2.0
// How the program callis finds the programs that its commands are.
#include <tools/callis/programs.h>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <cstdio>
#include <filesystem>
#include <fstream>

namespace callis::tools {
namespace {

namespace fs = std::filesystem;

// A directory with two programs and some files that are none.
class Dispatching : public testing::Test {
 protected:
  Dispatching() {
    std::string name = (fs::temp_directory_path() / "callis_dispatch_XXXXXX").string();
    directory_ = ::mkdtemp(name.data());
    add("callis-hello", "echo \"hello $# $1|$2\"; exit 7", true);
    add("callis-naming", "echo naming", true);
    add("callis-data", "not to be run", false);
    add("other", "echo other", true);
    fs::create_directory(directory_ / "callis-folder");
  }
  ~Dispatching() override { fs::remove_all(directory_); }

  void add(const std::string& name, const std::string& script, bool executable) {
    std::ofstream(directory_ / name) << "#!/bin/sh\n" << script << "\n";
    fs::permissions(directory_ / name, executable ? fs::perms::owner_all : fs::perms::owner_read);
  }

  // The real program with PATH = the directory.
  struct Run {
    int status = -1;
    std::string output;  // both streams
  };
  Run callis(const std::string& arguments) {
    const std::string command = "PATH=" + directory_.string() + ":/bin:/usr/bin " +
                                std::string(CALLIS_BINARY_DIR) + "/bin/callis " + arguments + " 2>&1";
    Run out;
    std::FILE* pipe = ::popen(command.c_str(), "r");
    char buffer[512];
    while (const std::size_t n = std::fread(buffer, 1, sizeof buffer, pipe)) {
      out.output.append(buffer, n);
    }
    const int status = ::pclose(pipe);
    out.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    return out;
  }

  fs::path directory_;
};

TEST(SearchDirectories, AreOwnFirstThenThoseOfPathOnce) {
  EXPECT_EQ(search_directories("/opt/bin", "/bin:/opt/bin:/usr/bin"),
            (std::vector<std::string>{"/opt/bin", "/bin", "/usr/bin"}));
}

TEST(SearchDirectories, LeaveOutTheWorkingDirectory) {
  EXPECT_EQ(search_directories("", ":.:bin::/bin:"), std::vector<std::string>{"/bin"});
}

TEST_F(Dispatching, FindsExecutablesOnly) {
  const std::vector<std::string> in{"/nowhere", directory_.string()};
  EXPECT_EQ(find_program(in, "hello"), (directory_ / "callis-hello").string());
  EXPECT_FALSE(find_program(in, "data"));
  EXPECT_FALSE(find_program(in, "folder"));
  EXPECT_FALSE(find_program(in, "missing"));
}

TEST_F(Dispatching, RefusesNamesThatLeadElsewhere) {
  const std::vector<std::string> in{directory_.string()};
  EXPECT_FALSE(find_program(in, ""));
  EXPECT_FALSE(find_program(in, "x/../../other"));
  EXPECT_FALSE(find_program(in, "hello;ls"));
}

TEST_F(Dispatching, ListsEachProgramOnce) {
  EXPECT_EQ(list_programs({directory_.string(), "/nowhere", directory_.string()}),
            (std::vector<std::string>{"hello", "naming"}));
}

TEST_F(Dispatching, RunsTheProgramWithItsArgumentsAndStatus) {
  const Run r = callis("hello 'a b' --c");
  EXPECT_EQ(r.output, "hello 2 a b|--c\n");
  EXPECT_EQ(r.status, 7);
}

TEST_F(Dispatching, FindsTheProgramsBesideItself) {
  const Run r = callis("idl --version");
  EXPECT_TRUE(r.output.starts_with("callis-idl ")) << r.output;
  EXPECT_EQ(r.status, 0);
}

TEST_F(Dispatching, SuggestsAndFailsForAWrongCommand) {
  const Run r = callis("helo");
  EXPECT_NE(r.output.find("no command 'helo'; did you mean 'hello'?"), std::string::npos) << r.output;
  EXPECT_EQ(r.status, 2);
}

TEST_F(Dispatching, SuggestsTheOnlyCommandThatBeginsSo) {
  const Run r = callis("nam");
  EXPECT_NE(r.output.find("no command 'nam'; did you mean 'naming'?"), std::string::npos) << r.output;
}

TEST_F(Dispatching, ListsTheCommandsWhenGivenNone) {
  for (const char* arguments : {"", "help", "--help"}) {
    const Run r = callis(arguments);
    EXPECT_NE(r.output.find("  hello\n"), std::string::npos) << r.output;
    EXPECT_NE(r.output.find("  idl         compiles IDL to C++\n"), std::string::npos) << r.output;
    EXPECT_NE(r.output.find("  ior  "), std::string::npos) << r.output;
    EXPECT_EQ(r.status, 0);
  }
}

TEST_F(Dispatching, DescribesEveryProgramOfTheBuild) {
  const std::string listed = callis("help").output;
  for (const std::string& name : list_programs({std::string(CALLIS_BINARY_DIR) + "/bin"}))
    EXPECT_EQ(listed.find("\n  " + name + "\n"), std::string::npos) << name << " in\n" << listed;
}

TEST_F(Dispatching, EveryProgramOfTheBuildTellsItsVersion) {
  for (const std::string& name : list_programs({std::string(CALLIS_BINARY_DIR) + "/bin"})) {
    const Run r = callis(name + " --version");
    EXPECT_EQ(r.output, (name == "idl" ? "callis-idl " : "callis ") + callis("--version").output.substr(7)) << name;
    EXPECT_EQ(r.status, 0) << name;
  }
}

TEST_F(Dispatching, NoProgramOfTheBuildPrintsItsWholeHelpForAMistypedOption) {
  for (const std::string& name : list_programs({std::string(CALLIS_BINARY_DIR) + "/bin"})) {
    if (name == "idl") continue;  // says it in its own way, in two lines
    const Run r = callis(name + " --hlep");
    const std::string command = name == "imr" ? "callis imr serve" : "callis " + name;
    EXPECT_EQ(r.output, command + ": what is '--hlep'? did you mean --help?\n" + command + " --help lists all\n");
    EXPECT_EQ(r.status, 2) << name;
  }
}

TEST_F(Dispatching, PassesHelpOn) {
  EXPECT_EQ(callis("help hello").output, "hello 1 --help|\n");
}

TEST_F(Dispatching, TellsItsVersion) {
  EXPECT_TRUE(callis("--version").output.starts_with("callis "));
}

}  // namespace
}  // namespace callis::tools
