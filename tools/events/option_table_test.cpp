// SPDX-License-Identifier: Apache-2.0
// Command lines through the tables of options: one of a test's own, and those of plain channels.
#include <gtest/gtest.h>
#include <services/common/service_arguments.h>
#include <tools/events/option_table.h>
#include <tools/events/plain_options.h>
#include <tools/events/real_time.h>
#include <set>

namespace callis::events {
namespace {

struct Settings {
  std::uint64_t size = 7;
  std::chrono::milliseconds time{7};
  Overflow overflow = Overflow::DiscardOldest;
  std::string word = "unset";
  std::vector<std::string> words;
};
using Row = TableOption<Settings>;

const OptionTable<Settings>& settings_table() {
  static const OptionTable<Settings> out{
      Row::number({"--size", "NUMBER", "x"}, 2, 100, [](Settings& to) -> auto& { return to.size; }),
      Row::number({"--time", "MILLISECONDS", "x"}, 1, 1'000, [](Settings& to) -> auto& { return to.time; }),
      Row::overflow({"--policy", "POLICY", "x"}, [](Settings& to) -> auto& { return to.overflow; }),
      Row::text({"--word", "WORD", "x"}, [](const std::string& value, Settings& to) { to.word = value; }),
      Row::texts({"--words", "WORD", "x", true},
                 [](const std::string& value, Settings& to) { to.words.push_back(to.word + value); }),
      Row::unread({"--else", "WORD", "x"}),
  };
  return out;
}

// What `read` makes of the words of a command line that has these options.
template <class Read>
auto read_words(std::vector<std::string> words, std::vector<services::OwnOption> options, Read read) {
  services::ServiceDescription description;
  description.name = "test";
  description.options = std::move(options);
  words.insert(words.begin(), "test");
  std::vector<char*> argv;
  for (std::string& w : words) argv.push_back(w.data());
  const services::ServiceArguments arguments(static_cast<int>(argv.size()), argv.data(), description);
  services::Counters counters;
  services::MemoryBound memory;
  const services::StoreOptions store_options;
  const services::Frame frame{CORBA::ORB::_nil(), PortableServer::POA::_nil(), nullptr,        counters,
                              arguments.own,      memory,                      arguments.store, store_options};
  return read(frame);
}

Settings settings(std::vector<std::string> words) {
  return read_words(std::move(words), settings_table().options(), [](const services::Frame& frame) {
    Settings out;
    settings_table().read(frame, out);
    return out;
  });
}

ServiceOptions plain(std::vector<std::string> words) {
  return read_words(std::move(words), plain_options(), &read_plain_options);
}

TEST(OptionTable, leaves_what_is_not_given_as_it_is) {
  const Settings out = settings({"--else", "x"});
  EXPECT_EQ(out.size, 7u);
  EXPECT_EQ(out.word, "unset");
  EXPECT_TRUE(out.words.empty());
}

TEST(OptionTable, reads_numbers_times_policies_and_words_in_the_order_of_the_table) {
  const Settings out = settings({"--words", "1", "--word", "w", "--words", "2", "--policy", "disconnect", "--time",
                                 "9", "--size", "100"});
  EXPECT_EQ(out.size, 100u);
  EXPECT_EQ(out.time, std::chrono::milliseconds(9));
  EXPECT_EQ(out.overflow, Overflow::Disconnect);
  EXPECT_EQ(out.words, (std::vector<std::string>{"w1", "w2"}));
}

TEST(OptionTable, refuses_what_is_out_of_bounds_or_no_policy_and_names_the_option) {
  for (const auto& [name, value] : std::vector<std::pair<std::string, std::string>>{
           {"--size", "1"}, {"--size", "101"}, {"--size", "many"}, {"--time", "0"}, {"--policy", "latest"}}) {
    try {
      settings({name, value});
      ADD_FAILURE() << name << " " << value;
    } catch (const services::ProgramFailed& e) {
      EXPECT_EQ(e.status, services::kWrongUsage);
      EXPECT_NE(e.text.find(name), std::string::npos) << e.text;
    }
  }
}

TEST(PlainOptions, have_the_defaults_that_help_says) {
  const ServiceOptions out = plain({});
  const auto& c = out.channel;
  EXPECT_EQ(c.lane.bounds.events, 1'000u);
  EXPECT_EQ(c.lane.bounds.bytes, 16'777'216u);
  EXPECT_EQ(c.lane.bounds.overflow, Overflow::DiscardOldest);
  EXPECT_EQ(c.event_bytes, 1'048'576u);
  EXPECT_EQ(c.deadline, std::chrono::milliseconds(2'000));
  EXPECT_EQ(c.lane.failures, 5u);
  EXPECT_EQ(c.poll.longest_pause, std::chrono::milliseconds(1'000));
  EXPECT_EQ(c.longest_pull, std::chrono::milliseconds(600'000));
  EXPECT_EQ(c.connect_within, std::chrono::milliseconds(600'000));
  EXPECT_EQ(c.proxies, 4'096u);
  EXPECT_EQ(out.channels, 1'000u);
  EXPECT_EQ(out.pool.threads, 32u);
}

TEST(PlainOptions, say_something_of_suppliers_that_are_pulled_too) {
  const ServiceOptions out = plain({"--failures", "2", "--poll", "3"});
  EXPECT_EQ(out.channel.poll.failures, 2u);
  EXPECT_EQ(out.channel.poll.first_pause, std::chrono::milliseconds(3)) << "no longer than the longest";
}

TEST(PlainOptions, take_priorities_before_or_behind_their_policy) {
  const ServiceOptions out =
      plain({"--priority", "IDL:A:1.0=7", "--overflow", "priority", "--priority", "IDL:B:1.0=1"});
  EXPECT_EQ(out.channel.priorities, (std::map<std::string, std::uint8_t>{{"IDL:A:1.0", 7}, {"IDL:B:1.0", 1}}));
  EXPECT_THROW(plain({"--priority", "IDL:A:1.0=7"}), services::ProgramFailed);
  EXPECT_THROW(plain({"--overflow", "priority", "--priority", "IDL:A:1.0=8"}), services::ProgramFailed);
}

TEST(PlainOptions, and_those_of_real_time_channels_have_different_names) {
  std::set<std::string> names;
  for (const auto& options : {plain_options(), real_time_options()})
    for (const services::OwnOption& option : options) EXPECT_TRUE(names.insert(option.name).second) << option.name;
}

}  // namespace
}  // namespace callis::events
