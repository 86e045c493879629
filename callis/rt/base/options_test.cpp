// SPDX-License-Identifier: Apache-2.0
// The options of real time: on the command line, in the environment, in a file.
#include <callis/orb/options/log_format.h>
#include <callis/orb/testing/options.h>
#include <callis/rt.h>
#include <callis/rt/base/option_list.h>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace callis::rt {
namespace {

using orb::testing::complaint;
using orb::testing::Words;

// Returns the options that the words set.
RealTimeOptions taken(Words words) {
  (void)orb::testing::good(std::move(words));
  return RealTimeOptions::of_this_thread();
}

struct Variable {
  Variable(const char* n, const char* value) : name(n) { ::setenv(n, value, 1); }
  ~Variable() { ::unsetenv(name); }
  const char* const name;
};

struct File {
  explicit File(const char* text) { std::ofstream(path) << text; }
  ~File() { std::filesystem::remove(path); }
  const std::string path = ::testing::TempDir() + "rt_options_" + std::to_string(::getpid()) + ".conf";
};

TEST(RtOptions, none_gives_defaults) {
  const RealTimeOptions o = taken({});
  EXPECT_EQ(o.mode, RealTimeMode::Preferred);
  EXPECT_EQ(o.mapping, 0);
  EXPECT_FALSE(o.lock_memory);
  EXPECT_EQ(o.most_propagated, 32767u);
}

TEST(RtOptions, are_taken_from_the_command_line_among_others) {
  const RealTimeOptions o =
      taken({"-ORBCallTimeout", "5", "-ORBRealTime", "required", "-ORBPriorityMapping", "linear", "file",
             "-ORBLockMemory", "1", "-ORBmaxpropagatedpriority", "12"});
  EXPECT_EQ(o.mode, RealTimeMode::Required);
  EXPECT_EQ(o.mapping, 2);
  EXPECT_TRUE(o.lock_memory);
  EXPECT_EQ(o.most_propagated, 12u);
  EXPECT_EQ(taken({"-ORBRealTime", "off"}).mode, RealTimeMode::Off);
  EXPECT_EQ(taken({"-ORBPriorityMapping", "direct"}).mapping, 1);
  EXPECT_EQ(o.network_mapping, 0);
  EXPECT_EQ(taken({"-ORBNetworkPriorityMapping", "linear"}).network_mapping, 1);
  EXPECT_EQ(taken({}).mode, RealTimeMode::Preferred) << "nothing is left of the ORB before";
}

TEST(RtOptions, are_removed_from_the_command_line) {
  std::string words[] = {"program", "-ORBRealTime", "off", "in.txt"};
  char* argv[] = {words[0].data(), words[1].data(), words[2].data(), words[3].data(), nullptr};
  int argc = 4;
  EXPECT_TRUE(orb::parse_options(argc, argv).ok());
  ASSERT_EQ(argc, 2);
  EXPECT_STREQ(argv[1], "in.txt");
}

TEST(RtOptions, bad_values_are_named) {
  EXPECT_EQ(complaint({"-ORBRealTime", "maybe"}), "-ORBRealTime wants preferred|required|off, not \"maybe\"");
  EXPECT_EQ(complaint({"-ORBLockMemory", "2"}), "-ORBLockMemory wants 0|1, not \"2\"");
  EXPECT_EQ(complaint({"-ORBMaxPropagatedPriority", "32768"}),
            "-ORBMaxPropagatedPriority wants a number from 0 to 32767, not \"32768\"");
  EXPECT_EQ(complaint({"-ORBPriorityMapping"}), "-ORBPriorityMapping wants continuous|direct|linear");
}

TEST(RtOptions, misspelled_ones_are_not_known) {
  EXPECT_EQ(complaint({"-ORBRealTimes", "off"}), "unknown option -ORBRealTimes; did you mean -ORBRealTime?");
}

TEST(RtOptions, the_command_line_comes_before_the_environment_and_that_before_a_file) {
  const File file("real_time = off\npriority_mapping = direct\nmax_propagated_priority = 1\n");
  EXPECT_EQ(taken({"-ORBConfigFile", file.path}).mapping, 1);
  const Variable mode("CALLIS_REAL_TIME", "required"), most("CALLIS_MAX_PROPAGATED_PRIORITY", "2");
  const RealTimeOptions o = taken({"-ORBConfigFile", file.path, "-ORBMaxPropagatedPriority", "3"});
  EXPECT_EQ(o.mapping, 1);
  EXPECT_EQ(o.mode, RealTimeMode::Required);
  EXPECT_EQ(o.most_propagated, 3u);
}

TEST(RtOptions, a_bad_value_is_named_with_its_place) {
  const File file("\nreal_time = perhaps\n");
  EXPECT_EQ(complaint({"-ORBConfigFile", file.path}),
            file.path + ":2: real_time wants preferred|required|off, not \"perhaps\"");
  const Variable mode("CALLIS_REAL_TIME", "never");
  EXPECT_EQ(complaint({}), "CALLIS_REAL_TIME wants preferred|required|off, not \"never\"");
}

TEST(RtOptions, a_watcher_hears_of_them) {
  struct Watcher final : orb::OptionWatcher {
    std::string heard;
    void took(std::size_t option, std::string_view value, std::string_view where) override {
      const std::size_t before = orb::kOptions + std::size(orb::kLogFormatOptions);
      heard += std::to_string(option - before) + "=" + std::string(value) + "@" + std::string(where) + " ";
    }
  } watcher;
  EXPECT_TRUE(orb::testing::parse({"-ORBRealTime", "off", "-ORBMaxPropagatedPriority", "4"}, &watcher).ok());
  EXPECT_EQ(watcher.heard, "0=off@-ORBRealTime 4=4@-ORBMaxPropagatedPriority ");
}

}  // namespace
}  // namespace callis::rt
