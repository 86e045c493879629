// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <tools/ior/command_line.h>

namespace callis::tools {
namespace {

constexpr Command kCommands[] = {{"ls", 0, 0, " --json "}, {"query", 1, 2, " --most= --json "}};

CommandLine read(std::vector<std::string> words) {
  words.insert(words.begin(), "callis-test");
  std::vector<char*> argv;
  for (std::string& w : words) argv.push_back(w.data());
  return read_command_line(kCommands, "--service", static_cast<int>(argv.size()), argv.data());
}
std::string problem(const std::vector<std::string>& words) { return read(words).problem; }

TEST(CommandLine, options_stand_anywhere) {
  const CommandLine line = read({"--service", "corbaloc:a", "query", "--most", "3", "one", "--json", "two"});
  EXPECT_EQ(line.problem, "");
  EXPECT_EQ(line.command, "query");
  EXPECT_EQ(line.words, (std::vector<std::string>{"one", "two"}));
  EXPECT_EQ(line.value("--service"), "corbaloc:a");
  EXPECT_EQ(line.value("--most", "9"), "3");
  EXPECT_TRUE(line.has("--json"));
  EXPECT_EQ(read({"ls"}).value("--most", "9"), "9");
  EXPECT_FALSE(read({"ls"}).has("--json"));
}

TEST(CommandLine, last_value_counts_and_all_are_kept) {
  const CommandLine line = read({"query", "one", "--most", "3", "--most", "4"});
  EXPECT_EQ(line.value("--most"), "4");
  EXPECT_EQ(line.values("--most"), (std::vector<std::string>{"3", "4"}));
  EXPECT_TRUE(line.values("--service").empty());
}

TEST(CommandLine, options_of_the_orb_are_left_to_it) {
  const CommandLine line = read({"-ORBLog", "info", "ls", "--timeout", "200"});
  EXPECT_EQ(line.problem, "");
  EXPECT_EQ(line.orb, (std::vector<std::string>{"-ORBLog", "info", "-ORBCallTimeout", "200"}));
}

TEST(CommandLine, words_behind_two_dashes_are_no_options) {
  EXPECT_EQ(read({"query", "--", "--json", "-x"}).words, (std::vector<std::string>{"--json", "-x"}));
  EXPECT_EQ(read({"query", "-"}).words, (std::vector<std::string>{"-"}));
}

TEST(CommandLine, what_is_wrong_is_said) {
  EXPECT_EQ(problem({}), "a command is missing");
  EXPECT_EQ(problem({"--service", "x"}), "a command is missing");
  EXPECT_EQ(problem({"lss"}), "there is no command 'lss'");
  EXPECT_EQ(problem({"query"}), "query needs more words");
  EXPECT_EQ(problem({"query", "1", "2", "3"}), "what is '3'?");
  EXPECT_EQ(problem({"ls", "--most", "3"}), "what is '--most'?") << "an option of another command";
  EXPECT_EQ(problem({"--json", "ls"}), "what is '--json'?") << "before its command";
  EXPECT_EQ(problem({"query", "1", "--most"}), "--most needs a value");
  EXPECT_EQ(problem({"ls", "--timeout"}), "--timeout needs a value");
  EXPECT_EQ(problem({"ls", "--service"}), "--service needs a value");
  EXPECT_EQ(problem({"ls", "-ORBLog"}), "-ORBLog needs a value");
  for (const char* const word : {"--json=", "--most=", "--most= --json", "---"})
    EXPECT_EQ(problem({"query", "1", word}), std::string("what is '") + word + "'?");
}

}  // namespace
}  // namespace callis::tools
