// SPDX-License-Identifier: Apache-2.0
// Options on the command line: values, bounds, complaints.
#include <callis/orb/testing/options.h>
#include <gtest/gtest.h>

namespace callis::orb {
namespace {

using namespace testing;

struct Line {
  std::vector<std::string> words;
  std::vector<char*> argv;
  int argc;

  explicit Line(std::vector<std::string> w) : words(std::move(w)) {
    words.insert(words.begin(), "program");
    for (auto& s : words) argv.push_back(s.data());
    argc = static_cast<int>(argv.size());
    argv.push_back(nullptr);
  }
  Result<Options> parse() { return parse_options(argc, argv.data()); }
  std::vector<std::string> left() const {
    return {argv.begin(), argv.begin() + argc};
  }
};

TEST(Options, none_gives_defaults) {
  const Options o = good({});
  EXPECT_TRUE(o.endpoints.empty());
  EXPECT_EQ(o.version, (ior::Version{1, 2}));
  EXPECT_EQ(o.limits.call_timeout, Duration(30'000));
  EXPECT_EQ(o.fragment_bytes, 0u);
}

TEST(Options, no_command_line_at_all_is_fine) {
  int argc = 0;
  EXPECT_TRUE(parse_options(argc, nullptr).ok());
}

TEST(Options, understood_ones_are_removed_and_the_rest_keeps_its_order) {
  Line line({"in.txt", "-ORBid", "one", "-v", "-ORBCallTimeout", "7", "out.txt"});
  EXPECT_TRUE(line.parse().ok());
  EXPECT_EQ(line.left(), (std::vector<std::string>{"program", "in.txt", "-v", "out.txt"}));
  EXPECT_EQ(line.argv[4], nullptr);
}

TEST(Options, an_error_leaves_the_command_line_alone) {
  Line line({"-ORBid", "one", "-ORBWhatever", "x"});
  EXPECT_FALSE(line.parse().ok());
  EXPECT_EQ(line.left().size(), 5u);
}

TEST(Options, unknown_ones_are_named) { EXPECT_EQ(complaint({"-ORBWhatever", "x"}), "unknown option -ORBWhatever"); }

TEST(Options, a_missing_value_is_named) {
  EXPECT_EQ(complaint({"-ORBCallTimeout"}), "-ORBCallTimeout wants milliseconds");
}

TEST(Options, endpoints) {
  const Options o = good({"-ORBEndpoint", "tcp:", "-ORBEndpoint", "tcp:10.0.0.1:2809", "-ORBEndpoint",
                          "tcp:[::1]:2810", "-ORBEndpoint", "tcp:host", "-ORBEndpoint", "tcp::99", "-ORBEndpoint",
                          "memory:a b", "-ORBEndpoint", "tcp:0.0.0.0:5"});
  ASSERT_EQ(o.endpoints.size(), 7u);
  EXPECT_EQ(o.endpoints[0].address.place, "");
  EXPECT_EQ(o.endpoints[0].address.port, 0);
  EXPECT_EQ(o.endpoints[1].address.place, "10.0.0.1");
  EXPECT_EQ(o.endpoints[1].address.port, 2809);
  EXPECT_EQ(o.endpoints[2].address.place, "::1");
  EXPECT_EQ(o.endpoints[2].address.port, 2810);
  EXPECT_EQ(o.endpoints[3].address.place, "host");
  EXPECT_EQ(o.endpoints[4].address.place, "");
  EXPECT_EQ(o.endpoints[4].address.port, 99);
  EXPECT_EQ(o.endpoints[5].address.transport, memory_transport());
  EXPECT_EQ(o.endpoints[5].address.place, "a b");
  EXPECT_EQ(o.endpoints[6].address.place, "") << "all interfaces";
}

TEST(Options, bad_endpoints) {
  for (const char* bad : {"udp:1", "memory:", "tcp:host:", "tcp:host:65536", "tcp:host:x", "tcp:[::1", "tcp:::1:80",
                          "tcp:ho st:1", "tcp:host:-1", "tcp:[::1]80"})
    EXPECT_NE(complaint({"-ORBEndpoint", bad}).find(bad), std::string::npos) << bad;
}

TEST(Options, publish_belongs_to_the_endpoint_before_it) {
  const Options o = good({"-ORBEndpoint", "tcp::1", "-ORBPublish", "gate.example:8000", "-ORBEndpoint", "tcp::2",
                          "-ORBPublish", "[2001:db8::1]"});
  EXPECT_EQ(o.endpoints[0].publish, (Published{{"gate.example", 8000}}));
  EXPECT_EQ(o.endpoints[1].publish, (Published{{"2001:db8::1", 0}}));
}

TEST(Options, publish_in_front_of_all_endpoints_is_for_the_first) {
  const Options o = good({"-ORBPublish", "gate:80,gate:81", "-ORBEndpoint", "tcp::1", "-ORBEndpoint", "tcp::2"});
  ASSERT_EQ(o.endpoints.size(), 2u);
  EXPECT_EQ(o.endpoints[0].publish, (Published{{"gate", 80}, {"gate", 81}}));
  EXPECT_TRUE(o.endpoints[1].publish.empty());
  EXPECT_EQ(good({"-ORBEndpoint", "memory:m", "-ORBPublish", "h:1", "-ORBEndpoint", "tcp::1"}).endpoints[1].publish,
            (Published{{"h", 1}}));
}

TEST(Options, several_addresses_may_be_published_for_one_endpoint) {
  const Options o = good({"-ORBEndpoint", "tcp::1", "-ORBPublish", "a:1,b", "-ORBPublish", "c:3"});
  EXPECT_EQ(o.endpoints[0].publish, (Published{{"a", 1}, {"b", 0}, {"c", 3}}));
  for (const char* bad : {"a:1,", ",a:1", "a:1,:2"}) complaint({"-ORBPublish", bad});
}

TEST(Options, wildcards_are_not_published) {
  for (const char* bad : {"0.0.0.0", "0.0.0.0:80", "[::]:80", "*", "*:80"}) complaint({"-ORBPublish", bad});
}

TEST(Options, publish_alone_is_for_the_default_endpoint) {
  const Options o = good({"-ORBPublish", "gate.example:8000"});
  ASSERT_EQ(o.endpoints.size(), 1u);
  EXPECT_EQ(o.endpoints[0].address.transport, tcp_transport());
  EXPECT_EQ(o.endpoints[0].publish, (Published{{"gate.example", 8000}}));
}

TEST(Options, publish_makes_no_sense_for_memory_or_without_host) {
  complaint({"-ORBEndpoint", "memory:m", "-ORBPublish", "h:1"});
  complaint({"-ORBPublish", ":80"});
}

TEST(Options, versions) {
  EXPECT_EQ(good({"-ORBGIOPVersion", "1.0"}).version, (ior::Version{1, 0}));
  EXPECT_EQ(good({"-ORBGIOPVersion", "1.1"}).version, (ior::Version{1, 1}));
  for (const char* bad : {"1.3", "2.0", "1", "1.2x", ""}) complaint({"-ORBGIOPVersion", bad});
}

TEST(Options, timeouts_are_milliseconds_and_zero_is_none) {
  const Options o = good({"-ORBConnectTimeout", "250", "-ORBCallTimeout", "0"});
  EXPECT_EQ(o.limits.connect_timeout, Duration(250));
  EXPECT_EQ(o.limits.call_timeout, Duration(0));
  for (const char* bad : {"-1", "1s", "", "99999999999"}) complaint({"-ORBCallTimeout", bad});
}

TEST(Options, sizes) {
  const Options o = good({"-ORBMaxMessageSize", "2048", "-ORBFragmentSize", "1024"});
  EXPECT_EQ(o.limits.max_message_bytes, 2048u);
  EXPECT_LE(o.limits.initial_message_bytes, 2048u);
  EXPECT_EQ(o.fragment_bytes, 1024u);
  complaint({"-ORBMaxMessageSize", "1023"});
  complaint({"-ORBFragmentSize", "63"});
}

TEST(Options, initial_references) {
  const Options o = good({"-ORBInitRef", "NameService=corbaloc::h:1/N=x"});
  ASSERT_EQ(o.initial_references.size(), 1u);
  EXPECT_EQ(o.initial_references[0].first, "NameService");
  EXPECT_EQ(o.initial_references[0].second, "corbaloc::h:1/N=x");
  for (const char* bad : {"NameService", "=x", "NameService="}) complaint({"-ORBInitRef", bad});
}

}  // namespace
}  // namespace callis::orb
