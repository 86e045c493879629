// SPDX-License-Identifier: Apache-2.0
// The program as users run it: options, exit status, and what it leaves on disk.
#include <idl/driver/depfile.h>
#include <idl/driver/testing/program.h>
#include <idl/driver/write_outputs.h>
#include <idl/source/preprocess.h>
#include <gtest/gtest.h>
#include <elf.h>
#include <filesystem>
#include <fstream>

namespace callis::idl::driver {
namespace {

namespace fs = std::filesystem;
using testing::Program;
using testing::Scratch;

using WritingOutputs = Scratch;

TEST_F(WritingOutputs, MakesTheDirectoryAndLeavesNoTemporaryFiles) {
  EXPECT_EQ(write_outputs((dir_ / "a/b").string(), {{"x.h", "one"}, {"x.cpp", "two"}}), "");
  EXPECT_EQ(files("a/b"), (std::vector<std::string>{"x.cpp", "x.h"}));
  EXPECT_EQ(read("a/b/x.h"), "one");
}

TEST_F(WritingOutputs, KeepsTheTimeOfAFileThatStaysTheSame) {
  write("x.h", "same");
  const auto before = fs::file_time_type::clock::now() - std::chrono::hours(1);
  fs::last_write_time(dir_ / "x.h", before);
  EXPECT_EQ(write_outputs(dir_.string(), {{"x.h", "same"}}), "");
  EXPECT_EQ(fs::last_write_time(dir_ / "x.h"), before);
}

TEST_F(WritingOutputs, ChangesNothingWhereOneFileCannotBeWritten) {
  write("a.h", "old");
  fs::create_directory(dir_ / "b.h");
  write("b.h/inside", "x");  // a directory in the way of the second file
  EXPECT_NE(write_outputs(dir_.string(), {{"a.h", "new"}, {"b.h", "new"}}), "");
  EXPECT_EQ(read("a.h"), "old");
  EXPECT_EQ(files(""), (std::vector<std::string>{"a.h", "b.h"}));
}

TEST(Depfile, EscapesNames) {
  EXPECT_EQ(depfile({"a b.h", "c$.h"}, {"x#.idl", "y.idl"}),
            "a\\ b.h c$$.h: \\\n  x\\#.idl \\\n  y.idl\n");
}

TEST_F(Program, ChecksAFileAndWritesNothing) {
  write("a.idl", "typedef long T;\n");
  EXPECT_EQ(run("--syntax-only a.idl"), 0);
  EXPECT_EQ(output_, "");
  EXPECT_EQ(files(""), std::vector<std::string>{"a.idl"});
}

TEST_F(Program, GeneratesFilesInTheDirectoryAskedFor) {
  write("a.idl", "interface I { void f(); };\n");
  EXPECT_EQ(run("-o out a.idl"), 0) << output_;
  EXPECT_EQ(files("out"), (std::vector<std::string>{"a.cpp", "a.h", "a_skel.cpp", "a_skel.h"}));
}

TEST_F(Program, WritesNothingWhenOneOfTheFilesIsWrong) {
  write("a.idl", "interface I { void f(); };\n");
  write("b.idl", "typedef Missing T;\n");
  EXPECT_EQ(run("-o out a.idl b.idl"), 1);
  EXPECT_NE(output_.find("b.idl:1:9: error: unknown type 'Missing'"), std::string::npos);
  EXPECT_EQ(files("out"), std::vector<std::string>());
}

TEST_F(Program, RefusesTwoFilesWithTheSameOutputs) {
  write("x/a.idl", "interface I { void f(); };\n");
  write("y/a.idl", "interface J { void f(); };\n");
  EXPECT_EQ(run("-o out x/a.idl y/a.idl"), 1);
  EXPECT_EQ(files("out"), std::vector<std::string>());
}

TEST_F(Program, TakesIncludeDirectoriesAndMacros) {
  write("inc/t.idl", "typedef long Included;\n");
  write("a.idl",
        "#include <t.idl>\n#if N == 3 && defined(FLAG) && !defined(GONE)\ntypedef Included T;\n#else\n#error "
        "no\n#endif\n");
  EXPECT_EQ(run("--syntax-only -I inc -D N=3 -DFLAG -D GONE -U GONE a.idl"), 0) << output_;
  EXPECT_EQ(run("--syntax-only -Iinc -DN=4 a.idl"), 1);
}

TEST_F(Program, ReportsAMalformedMacroOfTheCommandLine) {
  write("a.idl", "typedef long T;\n");
  EXPECT_EQ(run("--syntax-only -D 1x=4 a.idl"), 1);
  EXPECT_TRUE(output_.starts_with("callis-idl: error: ")) << output_;
}

TEST_F(Program, TakesEachKindOfStubs) {
  write("a.idl", "interface I { void f(); };\n");
  EXPECT_EQ(run("--stubs=interpreted -o i a.idl"), 0) << output_;
  EXPECT_EQ(run("--stubs=compiled -o c a.idl"), 0) << output_;
  EXPECT_EQ(run("--stubs=wrong -o w a.idl"), 2);
  EXPECT_EQ(files("w"), std::vector<std::string>());
}

TEST_F(Program, WritesWhatTheOutputsDependOn) {
  write("t.idl", "typedef long Included;\n");
  write("a.idl", "#include \"t.idl\"\ninterface I { void f(in Included x); };\n");
  EXPECT_EQ(run("-o out --depfile a.d a.idl"), 0) << output_;
  EXPECT_NE(read("a.d").find("out/a.h"), std::string::npos);
  EXPECT_NE(read("a.d").find(": \\\n  a.idl \\\n  t.idl\n"), std::string::npos);
}

TEST_F(Program, ReportsAFileThatCannotBeRead) {
  EXPECT_EQ(run("--syntax-only missing.idl"), 1);
  EXPECT_EQ(output_, "callis-idl: error: cannot read 'missing.idl'\n");
  EXPECT_EQ(run("--syntax-only ."), 1);
  EXPECT_EQ(run("--syntax-only /dev/zero"), 1);
}

TEST_F(Program, ReportsADirectoryThatCannotBeWritten) {
  write("a.idl", "interface I { void f(); };\n");
  write("file", "");
  EXPECT_EQ(run("-o file/out a.idl"), 1);
  EXPECT_NE(output_.find("callis-idl: error: cannot"), std::string::npos) << output_;
}

TEST_F(Program, ExitsWithTwoForWrongUsage) {
  write("a.idl", "typedef long T;\n");
  EXPECT_EQ(run(""), 2);
  EXPECT_EQ(run("--frobnicate a.idl"), 2);
  EXPECT_EQ(run("--mapping=basic a.idl"), 2);
}

TEST_F(Program, TellsVersionAndHelp) {
  EXPECT_EQ(run("--version"), 0);
  EXPECT_TRUE(output_.starts_with("callis-idl ")) << output_;
  EXPECT_EQ(run("--help"), 0);
  EXPECT_NE(output_.find("--syntax-only"), std::string::npos);
}

TEST_F(Program, NeedsNothingOfTheMachineItRunsOn) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "sanitizers need the dynamic libc";
#endif
  std::ifstream program(CALLIS_BINARY_DIR "/bin/callis-idl", std::ios::binary);
  Elf64_Ehdr header;
  ASSERT_TRUE(program.read(reinterpret_cast<char*>(&header), sizeof header));
  ASSERT_GT(header.e_phnum, 0);
  ASSERT_TRUE(program.seekg(static_cast<std::streamoff>(header.e_phoff)));
  for (unsigned i = 0; i < header.e_phnum; ++i) {
    Elf64_Phdr part;
    ASSERT_TRUE(program.read(reinterpret_cast<char*>(&part), sizeof part));
    EXPECT_NE(part.p_type, static_cast<unsigned>(PT_INTERP)) << "has a dynamic linker";
  }
}

}  // namespace
}  // namespace callis::idl::driver
