// SPDX-License-Identifier: Apache-2.0
#include <callis/imr/option_list.h>
#include <callis/orb/options/added_options.h>
#include <callis/rt/base/option_list.h>
#ifdef CALLIS_WITH_TLS
#include <callis/tls/option_list.h>
#endif
#include <tools/config/report.h>
#include <gtest/gtest.h>
#include <cstdlib>
#include <set>

namespace callis::tools {
namespace {

std::string shown(std::vector<std::string> words) {
  words.insert(words.begin(), "config");
  std::vector<char*> argv;
  for (auto& w : words) argv.push_back(w.data());
  int argc = static_cast<int>(argv.size());
  argv.push_back(nullptr);
  auto text = in_force(argc, argv.data());
  return text ? std::move(text.value()) : "error: " + text.error().detail;
}

// The line of a key, with single blanks.
std::string line(const std::string& text, const std::string& key) {
  const std::size_t at = text.find(key + " ");
  std::string out;
  for (const char c : text.substr(at, text.find('\n', at) - at))
    if (c != ' ' || !out.ends_with(' ')) out += c;
  return out;
}

TEST(Config, shows_values_and_where_they_come_from) {
  ::setenv("CALLIS_SPIN", "3", 1);
  const std::string text = shown({"-ORBCallTimeout", "7", "-ORBEndpoint", "tcp:[::1]:80", "-ORBPublish", "gate,h:1",
                                  "-ORBInitRef", "A=corbaloc::a/A", "-ORBid", "me"});
  ::unsetenv("CALLIS_SPIN");
  EXPECT_EQ(line(text, "call_timeout"), "call_timeout = 7 # -ORBCallTimeout");
  EXPECT_EQ(line(text, "spin"), "spin = 3 # CALLIS_SPIN");
  EXPECT_EQ(line(text, "max_depth"), "max_depth = 64 # default");
  EXPECT_EQ(line(text, "endpoint"), "endpoint = tcp:[::1]:80 # -ORBEndpoint");
  EXPECT_EQ(line(text, "publish"), "publish = gate h:1 # -ORBPublish");
  EXPECT_EQ(line(text, "init_ref"), "init_ref = A=corbaloc::a/A # -ORBInitRef");
  EXPECT_EQ(line(text, "id"), "id = me # -ORBid");
  EXPECT_EQ(line(text, "giop_version"), "giop_version = 1.2 # default");
  EXPECT_EQ(line(text, "sync_scope"), "sync_scope = transport # default");
}

TEST(Config, says_what_orb_init_would_say) {
  EXPECT_EQ(shown({"-ORBSpin", "x"}), "error: -ORBSpin wants a number of microseconds from 0 to 1000, not \"x\"");
}

TEST(Config, options_that_libraries_add_are_named_to_programs_without_them) {
  std::set<std::string> added, named;
  for (const orb::OptionSpec& o : imr::kOptionList) added.insert(o.name);
  for (const orb::OptionSpec& o : rt::kOptionList) added.insert(o.name);
#ifdef CALLIS_WITH_TLS
  for (const orb::OptionSpec& o : tls::kOptionList) added.insert(o.name);
#endif
  for (const orb::OptionElsewhere& o : orb::kOptionsElsewhere)
#ifndef CALLIS_WITH_TLS
    if (std::string_view(o.library) != "tls")
#endif
      named.insert(o.name);
  EXPECT_EQ(named, added);
}

TEST(Config, every_value_shown_can_be_given) {
  const orb::Options defaults;
  for (std::size_t i = 0; i < orb::kOptions; ++i) {
    const std::string value = value_text(defaults, i);
    if (value.empty()) continue;
    const std::string text = shown({orb::option_name(i, orb::OptionSource::CommandLine), value});
    EXPECT_NE(text.find("= " + value), std::string::npos) << text;
  }
}

TEST(Config, the_tables_name_every_option_once) {
  for (const std::string& text : {help_text(), markdown()})
    for (std::size_t i = 0; i < orb::kOptions; ++i) {
      const std::string name = orb::option_name(i, orb::OptionSource::CommandLine) + " ";
      const std::size_t at = text.find(name);
      EXPECT_NE(at, std::string::npos) << name;
      EXPECT_EQ(text.find(name, at + 1), std::string::npos) << name;
    }
}

}  // namespace
}  // namespace callis::tools
