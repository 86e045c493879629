// SPDX-License-Identifier: Apache-2.0
// Where values of options come from, how they are spelled there, and what other ORBs call them.
#include <callis/base/log_format.h>
#include <callis/base/text.h>
#include <callis/orb/options/option_names.h>
#include <callis/orb/testing/options.h>
#include <gtest/gtest.h>
#include <bit>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <set>
#include <unistd.h>

namespace callis::orb {
namespace {

using namespace testing;

// A variable of the environment while this lives.
class Variable {
 public:
  Variable(const char* name, const std::string& value) : name_(name) { ::setenv(name, value.c_str(), 1); }
  ~Variable() { ::unsetenv(name_); }

 private:
  const char* const name_;
};

class File {
 public:
  explicit File(const std::string& text)
      : path_(concat({::testing::TempDir(), "callis_options_", Decimal(static_cast<std::uint64_t>(::getpid()))})) {
    std::ofstream(path_) << text;
  }
  ~File() { std::filesystem::remove(path_); }
  const std::string& path() const { return path_; }

 private:
  const std::string path_;
};

Options of_file(const std::string& text) {
  const File f(text);
  return good({"-ORBConfigFile", f.path()});
}

// The complaint about a file, without its name.
std::string about_file(const std::string& text) {
  const File f(text);
  std::string all = complaint({"-ORBConfigFile", f.path()});
  EXPECT_TRUE(all.starts_with(f.path())) << all;
  return all.substr(std::min(all.size(), f.path().size()));
}

TEST(OptionNames, have_three_spellings) {
  const std::size_t call = find_option("CallTimeout").option, giop = find_option("GIOPVersion").option;
  EXPECT_EQ(option_name(call, OptionSource::CommandLine), "-ORBCallTimeout");
  EXPECT_EQ(option_name(call, OptionSource::Environment), "CALLIS_CALL_TIMEOUT");
  EXPECT_EQ(option_name(call, OptionSource::File), "call_timeout");
  EXPECT_EQ(option_name(giop, OptionSource::File), "giop_version");
  EXPECT_EQ(option_name(find_option("id").option, OptionSource::Environment), "CALLIS_ID");
  EXPECT_EQ(option_name(find_option("ConfigFile").option, OptionSource::Environment), "CALLIS_CONFIG");
}

TEST(OptionNames, are_found_in_every_spelling_and_case_and_are_all_different) {
  std::set<std::string> seen;
  for (std::size_t i = 0; i < kOptions; ++i) {
    EXPECT_EQ(find_option(kOptionList[i].name).option, i);
    const std::string key = option_name(i, OptionSource::File);
    EXPECT_EQ(find_option(key).option, i) << key;
    EXPECT_TRUE(seen.insert(key).second) << key;
    std::string capitals = key;
    for (char& c : capitals) c = static_cast<char>(std::toupper(c));
    EXPECT_EQ(find_option(capitals).option, i);
  }
  for (const OptionSynonym& s : kOptionSynonyms) {
    EXPECT_STREQ(kOptionList[find_option(s.name).option].name, s.means);
    EXPECT_TRUE(seen.insert(s.name).second) << s.name;
  }
  for (const char* none : {"", "_", "CallTimeou", "CallTimeouts", "Call-Timeout"})
    EXPECT_EQ(find_option(none).option, kNoOption) << none;
}

TEST(OptionNames, a_wrong_one_is_answered_with_the_nearest) {
  EXPECT_EQ(complaint({"-ORBCalTimeout", "1"}), "unknown option -ORBCalTimeout; did you mean -ORBCallTimeout?");
  EXPECT_EQ(complaint({"-ORBendpoints", "tcp:"}), "unknown option -ORBendpoints; did you mean -ORBEndpoint?");
  EXPECT_EQ(about_file("\ncall_timeouts = 1\n"), ":2: unknown option call_timeouts; did you mean call_timeout?");
  EXPECT_EQ(complaint({"-ORB", "1"}), "unknown option -ORB");
  EXPECT_EQ(complaint({"-ORBRealTime", "off"}),
            "option -ORBRealTime is one of programs that include <callis/rt.h> and link callis::rt, which this one "
            "does not (Debian: libcallis-rt-dev)");
  EXPECT_EQ(about_file("\nimr_announce = 1\n").substr(0, 34), ":2: option imr_announce is one of ");
  std::string longest = "-ORB";
  longest.resize(1000, 'x');
  EXPECT_EQ(complaint({longest, "1"}), concat({"unknown option ", longest}));
}

TEST(OptionSources, the_environment_comes_before_the_file_and_the_command_line_before_both) {
  const File f("call_timeout = 1\nconnect_timeout = 1\nspin = 1\n");
  const Variable file("CALLIS_CONFIG", f.path()), call("CALLIS_CALL_TIMEOUT", "2"),
      connect("CALLIS_CONNECT_TIMEOUT", "2");
  const Options o = good({"-ORBCallTimeout", "3"});
  EXPECT_EQ(o.limits.call_timeout, Duration(3));
  EXPECT_EQ(o.limits.connect_timeout, Duration(2));
  EXPECT_EQ(o.spin, std::chrono::microseconds(1));
}

TEST(OptionSources, the_file_on_the_command_line_is_read_instead_of_that_in_the_environment) {
  const Variable file("CALLIS_CONFIG", "/nowhere/at/all");
  EXPECT_EQ(of_file("spin = 7\n").spin, std::chrono::microseconds(7));
  EXPECT_EQ(complaint(), "cannot read the file of options /nowhere/at/all: No such file or directory");
}

TEST(OptionSources, a_comment_stands_on_a_line_of_a_file_or_behind_a_value_and_a_blank) {
  const Options o = of_file("# all\nspin = 7 # microseconds\n \t# more\nid = a#b\t#c\n"
                            "init_ref = N=corbaname::h#x # names\n");
  EXPECT_EQ(o.spin, std::chrono::microseconds(7));
  EXPECT_EQ(o.orb_id, "a#b");
  ASSERT_EQ(o.initial_references.size(), 1u);
  EXPECT_EQ(o.initial_references[0].second, "corbaname::h#x");
  EXPECT_EQ(about_file("endpoint = tcp::1 # one\nspin # 7\n"), ":2: no \"key = value\": \"spin\"");
}

TEST(OptionSources, the_form_of_the_log_is_that_of_the_process) {
  const auto logged = [] {
    ::testing::internal::CaptureStderr();
    log(LogLevel::Error, "words");
    return ::testing::internal::GetCapturedStderr();
  };
  good({"-ORBLogFormat", "json"});
  EXPECT_TRUE(logged().starts_with("{\"time\":"));
  good();  // another ORB says nothing
  EXPECT_TRUE(logged().starts_with("{\"time\":"));
  of_file("log_format = time\n");
  EXPECT_TRUE(logged().ends_with("]: error: words\n"));
  set_log_format(LogFormat::Plain);
  EXPECT_EQ(logged(), "callis: error: words\n");
  EXPECT_EQ(complaint({"-ORBLogFormat", "xml"}), "-ORBLogFormat wants plain|time|json, not \"xml\"");
}

TEST(OptionSources, an_empty_variable_is_as_none) {
  const Variable file("CALLIS_CONFIG", ""), call("CALLIS_CALL_TIMEOUT", " "), endpoint("CALLIS_ENDPOINT", "");
  EXPECT_EQ(good().limits.call_timeout, Duration(30'000));
}

TEST(OptionSources, the_environment_is_told_by_its_names_in_errors) {
  const Variable call("CALLIS_CALL_TIMEOUT", "1s");
  EXPECT_EQ(complaint(), "CALLIS_CALL_TIMEOUT wants milliseconds, not \"1s\"");
}

TEST(OptionSources, lists_in_the_environment_stand_between_blanks) {
  const Variable endpoint("CALLIS_ENDPOINT", " tcp::1  tcp::2 "),
      ref("CALLIS_INIT_REF", "A=corbaloc::h:1,:i:2/A B=corbaname::h#b");
  const Options o = good();
  ASSERT_EQ(o.endpoints.size(), 2u);
  EXPECT_EQ(o.endpoints[1].address.port, 2);
  ASSERT_EQ(o.initial_references.size(), 2u);
  EXPECT_EQ(o.initial_references[0].second, "corbaloc::h:1,:i:2/A");
}

TEST(OptionSources, endpoints_of_one_place_replace_those_of_the_places_before) {
  const Variable endpoint("CALLIS_ENDPOINT", "tcp::1 tcp::2");
  ASSERT_EQ(good({"-ORBEndpoint", "tcp::3"}).endpoints.size(), 1u);
  EXPECT_EQ(good({"-ORBEndpoint", "tcp::3"}).endpoints[0].address.port, 3);
}

TEST(OptionSources, what_is_published_may_be_said_in_another_place_than_the_endpoint) {
  const Variable publish("CALLIS_PUBLISH", "gate.example:80");
  EXPECT_EQ(good().endpoints[0].publish, (Published{{"gate.example", 80}}));
  EXPECT_EQ(good({"-ORBPublish", "other:1", "-ORBPublish", "third:3"}).endpoints[0].publish,
            (Published{{"other", 1}, {"third", 3}}));
  const File f("endpoint = tcp::9\npublish = h:1\n");
  const Options o = good({"-ORBConfigFile", f.path()});
  EXPECT_EQ(o.endpoints[0].address.port, 9);
  EXPECT_EQ(o.endpoints[0].publish, (Published{{"gate.example", 80}}));
}

TEST(OptionSources, what_is_published_stays_when_the_endpoint_comes_from_a_later_place) {
  const Variable publish("CALLIS_PUBLISH", "gate.example:80");
  const Published gate{{"gate.example", 80}};
  EXPECT_EQ(good({"-ORBEndpoint", "tcp::3"}).endpoints[0].publish, gate);
  const Options two = good({"-ORBEndpoint", "unix:/a", "-ORBEndpoint", "tcp::3", "-ORBEndpoint", "tcp::4"});
  ASSERT_EQ(two.endpoints.size(), 3u);
  EXPECT_EQ(two.endpoints[1].publish, gate) << "the first that has a host";
  EXPECT_TRUE(two.endpoints[2].publish.empty());
  const Variable endpoint("CALLIS_ENDPOINT", "tcp::1");
  const Options o = good({"-ORBEndpoint", "tcp::3"});
  ASSERT_EQ(o.endpoints.size(), 1u);
  EXPECT_EQ(o.endpoints[0].publish, gate);
  const Options other = good({"-ORBEndpoint", "tcp::3", "-ORBPublish", "other:1"});
  EXPECT_EQ(other.endpoints[0].publish, (Published{{"other", 1}}));
}

TEST(OptionSources, what_belongs_to_an_endpoint_of_another_place_goes_with_it) {
  const Variable endpoint("CALLIS_ENDPOINT", "iiop://c:3/hostname_in_ior=gate");
  EXPECT_TRUE(good({"-ORBEndpoint", "tcp::3"}).endpoints[0].publish.empty());
}

TEST(OptionSources, initial_references_are_replaced_one_by_one) {
  const Variable ref("CALLIS_INIT_REF", "A=corbaloc::a/A B=corbaloc::b/B");
  const Options o = good({"-ORBInitRef", "B=corbaloc::c/B", "-ORBInitRef", "C=corbaloc::c/C"});
  ASSERT_EQ(o.initial_references.size(), 3u);
  EXPECT_EQ(o.initial_references[1].second, "corbaloc::c/B");
}

TEST(OptionFile, has_comments_blank_lines_and_blanks_around_keys_and_values) {
  const Options o =
      of_file("# all of it\n\n  call_timeout=5\n\tspin =  9 \r\n   # more\ninit_ref = N = corbaname::h#a/b c");
  EXPECT_EQ(o.limits.call_timeout, Duration(5));
  EXPECT_EQ(o.spin, std::chrono::microseconds(9));
  ASSERT_EQ(o.initial_references.size(), 1u);
  EXPECT_EQ(o.initial_references[0].first, "N ");
  EXPECT_EQ(o.initial_references[0].second, " corbaname::h#a/b c")
      << "'#' begins a comment at the start of a line only";
}

TEST(OptionFile, errors_say_file_line_and_text) {
  EXPECT_EQ(about_file("spin = 1\nspin = 1001\n"),
            ":2: spin wants a number of microseconds from 0 to 1000, not \"1001\"");
  EXPECT_EQ(about_file("spin 1\n"), ":1: no \"key = value\": \"spin 1\"");
  EXPECT_EQ(about_file("= 1\n"), ":1: unknown option ");
  EXPECT_EQ(about_file("max_message_size =\n"),
            ":1: max_message_size wants a number of bytes from 1024 to 4294967295, not \"\"");
  EXPECT_EQ(about_file("fragment_size = 1"),
            ":1: fragment_size wants 0 or a number of bytes from 64 to 4294967295, not \"1\"");
  EXPECT_EQ(about_file("sync_scope = all"), ":1: sync_scope wants none|transport|server|target, not \"all\"");
  EXPECT_EQ(about_file("config_file = x"), ":1: config_file wants a file, not \"x\"");
}

TEST(OptionFile, that_cannot_be_read_is_an_error) {
  EXPECT_EQ(complaint({"-ORBConfigFile", "/nowhere"}),
            "cannot read the file of options /nowhere: No such file or directory");
  EXPECT_EQ(complaint({"-ORBConfigFile", "/"}), "cannot read the file of options /: Is a directory");
  EXPECT_EQ(complaint({"-ORBConfigFile"}), "-ORBConfigFile wants a file");
}

TEST(OptionFile, of_any_bytes_is_read_or_refused) {
  std::string text;
  for (int i = 0; i < 5000; ++i) text += static_cast<char>(i * 7919 >> 3);
  const File f(text);
  EXPECT_FALSE(parse({"-ORBConfigFile", f.path()}).ok());
  of_file(std::string("# \0 zero\nspin = 1", 17));
}

// Every number in the table: its edges are taken, what lies beyond is not, and each goes into a field of its own.
TEST(OptionTable, numbers_have_bounds_and_fields_of_their_own) {
  std::set<std::size_t> fields;
  for (std::size_t i = 0; i < kOptions; ++i) {
    const OptionSpec& s = kOptionList[i];
    if (s.kind != OptionKind::Number) continue;
    EXPECT_TRUE(fields.insert(s.field).second) << s.name;
    const std::string option = option_name(i, OptionSource::CommandLine);
    for (const std::uint32_t n : {s.least, s.most}) {
      const Options o = good({"-ORBMaxMessageSize", "4294967295", option, std::to_string(n)});
      std::uint64_t there = 0;
      std::memcpy(&there, reinterpret_cast<const char*>(&o) + s.field, s.bytes);
      if constexpr (std::endian::native == std::endian::big) there >>= 8 * (8 - s.bytes);
      EXPECT_EQ(there, n) << s.name;
    }
    complaint({option, std::to_string(std::uint64_t{s.most} + 1)});
    if (s.least > (s.or_zero ? 1 : 0)) complaint({option, std::to_string(s.least - 1)});
    if (s.or_zero) good({option, "0"});
  }
}

TEST(OptionTable, defaults_are_within_their_bounds) {
  const Options o;
  for (const OptionSpec& s : kOptionList) {
    if (s.kind != OptionKind::Number) continue;
    std::uint64_t n = 0;
    std::memcpy(&n, reinterpret_cast<const char*>(&o) + s.field, s.bytes);
    if constexpr (std::endian::native == std::endian::big) n >>= 8 * (8 - s.bytes);
    EXPECT_TRUE((n >= s.least && n <= s.most) || (n == 0 && s.or_zero)) << s.name << " " << n;
  }
}

TEST(OptionTable, the_watcher_is_told_what_was_taken_and_where) {
  struct Watcher : OptionWatcher {
    Words seen;
    void took(std::size_t option, std::string_view value, std::string_view where) override {
      seen.push_back(concat({kOptionList[option].name, "=", value, " at ", where}));
    }
  } watcher;
  const File f("spin = 1\n");
  const Variable call("CALLIS_CALL_TIMEOUT", "2");
  EXPECT_TRUE(parse({"-ORBConfigFile", f.path(), "-ORBgiopMaxMsgSize", "8192"}, &watcher).ok());
  EXPECT_EQ(watcher.seen, (Words{concat({"Spin=1 at ", f.path(), ":1"}), "CallTimeout=2 at CALLIS_CALL_TIMEOUT",
                                 concat({"ConfigFile=", f.path(), " at -ORBConfigFile"}),
                                 "MaxMessageSize=8192 at -ORBgiopMaxMsgSize"}));
}

TEST(OtherOrbs, omniorbs_names_are_understood) {
  const Options o = good({"-ORBendPoint", "giop:tcp:host:7", "-ORBendPointPublish", "giop:tcp:gate:8",
                          "-ORBclientCallTimeOutPeriod", "5", "-ORBclientConnectTimeOutPeriod", "6",
                          "-ORBserverCallTimeOutPeriod", "7", "-ORBinConScanPeriod", "8", "-ORBgiopMaxMsgSize",
                          "9000", "-ORBmaxGIOPVersion", "1.1", "-ORBtraceLevel", "10"});
  ASSERT_EQ(o.endpoints.size(), 1u);
  EXPECT_EQ(o.endpoints[0].address.place, "host");
  EXPECT_EQ(o.endpoints[0].address.port, 7);
  EXPECT_EQ(o.endpoints[0].publish, (Published{{"gate", 8}}));
  EXPECT_EQ(o.limits.call_timeout, Duration(5));
  EXPECT_EQ(o.limits.connect_timeout, Duration(6));
  EXPECT_EQ(o.limits.message_timeout, Duration(7));
  EXPECT_EQ(o.limits.idle_timeout, Duration(8000)) << "omniORB's are seconds";
  EXPECT_EQ(o.limits.max_message_bytes, 9000u);
  EXPECT_EQ(o.version, (ior::Version{1, 1}));
  EXPECT_EQ(o.log_level, 1) << "debug";
  for (const char* any : {"giop:tcp::", "giop:tcp:*:"}) {
    EXPECT_EQ(good({"-ORBendPoint", any}).endpoints[0].address.place, "") << any;
    EXPECT_EQ(good({"-ORBendPoint", any}).endpoints[0].address.port, 0) << any;
  }
  EXPECT_EQ(good({"-ORBendPoint", "giop:tcp:h:"}).endpoints[0].address.place, "h");
  for (const char* bad : {"giop:", "giop:ssl:h:1", "giop:tcp:h:x"}) complaint({"-ORBendPoint", bad});
}

TEST(OtherOrbs, taos_names_are_understood) {
  const Options o = good({"-ORBListenEndpoints", "iiop://a:1,b:2;iiop://", "-ORBEndpoint",
                          "iiop://c:3/hostname_in_ior=gate", "-ORBDebugLevel", "1", "-ORBId", "x"});
  ASSERT_EQ(o.endpoints.size(), 4u);
  EXPECT_EQ(o.endpoints[0].address.place, "a");
  EXPECT_EQ(o.endpoints[1].address.place, "b");
  EXPECT_EQ(o.endpoints[1].address.port, 2);
  EXPECT_EQ(o.endpoints[2].address.place, "");
  EXPECT_EQ(o.endpoints[3].address.place, "c");
  EXPECT_EQ(o.endpoints[3].publish, (Published{{"gate", 0}}));
  EXPECT_EQ(o.log_level, 3) << "warning";
  EXPECT_EQ(o.orb_id, "x");
  const Options any = good({"-ORBListenEndpoints", "iiop://:;iiop://h:;iiop://1.1@h:7;iiop://[::1]:"});
  ASSERT_EQ(any.endpoints.size(), 4u);
  EXPECT_EQ(any.endpoints[0].address.place, "");
  EXPECT_EQ(any.endpoints[0].address.port, 0);
  EXPECT_EQ(any.endpoints[1].address.place, "h");
  EXPECT_EQ(any.endpoints[1].address.port, 0);
  EXPECT_EQ(any.endpoints[2].address.place, "h");
  EXPECT_EQ(any.endpoints[2].address.port, 7);
  EXPECT_EQ(any.endpoints[3].address.place, "::1");
  EXPECT_EQ(any.version, (ior::Version{1, 1})) << "of references";
  for (const char* bad : {"iiop://1.3@h:1", "iiop://2.0@h:1", "iiop://@h:1",
                          "iiop://h:1/portspan=5", "iiop://h:1,", "iiop:h:1", "shmiop://1"})
    complaint({"-ORBEndpoint", bad});
}

TEST(OtherOrbs, omniorbs_threads_and_connections_become_ours) {
  EXPECT_TRUE(good({"-ORBoneCallPerConnection", "0"}).share_connections);
  EXPECT_FALSE(good({"-ORBoneCallPerConnection", "1"}).share_connections);
  EXPECT_EQ(good({"-ORBthreadPerConnectionPolicy", "0"}).server_threads, ServerThreads::Pool);
  EXPECT_EQ(good({"-ORBthreadPerConnectionPolicy", "1"}).server_threads, ServerThreads::Connection);
  const Options o = good({"-ORBmaxServerThreadPoolSize", "20", "-ORBthreadPerConnectionUpperLimit", "30",
                          "-ORBmaxServerThreadPerConnection", "40"});
  EXPECT_EQ(o.limits.max_pool_threads, 20u);
  EXPECT_EQ(o.limits.max_connection_threads, 30u);
  EXPECT_EQ(o.limits.max_dispatches_per_connection, 40u);
  EXPECT_EQ(complaint({"-ORBoneCallPerConnection", "no"}),
            "-ORBoneCallPerConnection wants exclusive|shared, not \"no\"");
}

TEST(OtherOrbs, trace_levels_become_ours) {
  const std::pair<const char*, LogLevel> levels[] = {{"0", LogLevel::Error},  {"1", LogLevel::Warning},
                                                     {"2", LogLevel::Info},   {"9", LogLevel::Info},
                                                     {"10", LogLevel::Debug}, {"24", LogLevel::Debug},
                                                     {"25", LogLevel::Trace}, {"40", LogLevel::Trace}};
  for (const auto& [given, meant] : levels)
    EXPECT_EQ(good({"-ORBtraceLevel", given}).log_level, static_cast<int>(meant)) << given;
  EXPECT_EQ(good({"-ORBtraceInvocations", "1"}).log_level, static_cast<int>(LogLevel::Debug));
  EXPECT_EQ(good({"-ORBtraceInvocations", "0"}).log_level, static_cast<int>(LogLevel::Warning));
  EXPECT_EQ(complaint({"-ORBtraceLevel", "high"}),
            "-ORBtraceLevel wants trace|debug|info|warning|error|off, not \"high\"");
}

}  // namespace
}  // namespace callis::orb
