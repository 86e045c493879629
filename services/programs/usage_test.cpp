// SPDX-License-Identifier: Apache-2.0
// The answers of programs to command lines that are wrong.
#include <gtest/gtest.h>
#include <services/programs/usage.h>
#include <vector>

namespace callis::programs {
namespace {

constexpr char kUsage[] =
    "usage: callis sample [serve] [--store FILE] [-ORBoption VALUE]...\n"
    "       callis sample feed REF\n"
    "\n"
    "  ls [-r] [NAME]    what is there; callis sample push|pull are others\n"
    "  --store FILE      keeps it there\n"
    "  --max-disk SIZE   at most so much\n"
    "  --max-memory SIZE the same of memory\n";

std::string said(const std::string& problem) {
  ::testing::internal::CaptureStderr();
  EXPECT_EQ(wrong_usage("callis sample", problem, kUsage), 2);
  return ::testing::internal::GetCapturedStderr();
}

std::string line(const std::string& text) { return "callis sample: " + text + "\ncallis sample --help lists all\n"; }

TEST(WrongUsage, OffersTheNearestOption) {
  EXPECT_EQ(said(unknown_word("--stor")), line("what is '--stor'? did you mean --store?"));
  EXPECT_EQ(said(unknown_word("--sotre")), line("what is '--sotre'? did you mean --store?"));
  EXPECT_EQ(said(unknown_word("-store")), line("what is '-store'? did you mean --store?"));
  EXPECT_EQ(said(unknown_word("--max-mem")), line("what is '--max-mem'? did you mean --max-memory?"));
}

TEST(WrongUsage, OffersTheNearestCommand) {
  EXPECT_EQ(said("there is no command 'lss'"), line("there is no command 'lss'; did you mean ls?"));
  EXPECT_EQ(said(unknown_word("sreve")), line("what is 'sreve'? did you mean serve?"));
  EXPECT_EQ(said(unknown_word("serv")), line("what is 'serv'? did you mean serve?"));
  EXPECT_EQ(said(unknown_word("fed")), line("what is 'fed'? did you mean feed?"));
  EXPECT_EQ(said(unknown_word("pul")), line("what is 'pul'? did you mean pull?"));
}

TEST(WrongUsage, OffersNothingThatIsFarOrIsTheWordItself) {
  for (const char* word : {"--frobnicate", "--store", "--", "ls", "nonsense"})
    EXPECT_EQ(said(unknown_word(word)), line(unknown_word(word)));
}

TEST(WrongUsage, LeavesOtherProblemsAlone) {
  EXPECT_EQ(said("--store needs a value"), line("--store needs a value"));
  EXPECT_EQ(said("unknown option -ORBX"),
            "callis sample: unknown option -ORBX\ncallis config --help lists all of the ORB\n");
  EXPECT_EQ(unknown_word("a\nb"), "what is 'a\\x0ab'?");
}

TEST(Nearest, OffersWhatIsNearAndNothingElse) {
  const std::vector<std::string> names{"idl", "log", "logging", "naming"};
  EXPECT_EQ(nearest("namign", names), "naming");
  EXPECT_EQ(nearest("ild", names), "");
  EXPECT_EQ(nearest("id", names), "idl");
  EXPECT_EQ(nearest("frobnicate", names), "");
}

TEST(Nearest, TakesTheOnlyOneThatBeginsSo) {
  const std::vector<std::string> names{"idl", "log", "logging", "naming"};
  EXPECT_EQ(nearest("nam", names), "naming");
  EXPECT_EQ(nearest("logg", names), "logging");
  EXPECT_EQ(nearest("lo", names), "log");  // two do: the one that differs least
  EXPECT_EQ(nearest("", names), "");
}

}  // namespace
}  // namespace callis::programs
