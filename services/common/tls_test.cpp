// SPDX-License-Identifier: Apache-2.0
// A service with --tls: where it listens, whom it lets do what, and what SIGHUP does.
#include <callis/corba.h>
#include <callis/ior/iiop_profile.h>
#include <callis/ior/text.h>
#include <callis/ior/tls_component.h>
#include <callis/transport/tls/testing/site.h>
#include <gtest/gtest.h>
#include <services/common/testing/folder.h>
#include <services/common/testing/sample.h>

namespace callis::services::testing {
namespace {

using transport::testing::Site;

// With certificates of a server, and of clients named client and ops.
const Site& own_site() {
  static const Site site("the services' authority");
  static const bool issued = [] {
    site.issue_server("server");
    site.issue_client("client");
    site.issue_client("ops");
    return true;
  }();
  (void)issued;
  return site;
}

std::vector<std::string> over_tls(std::vector<std::string> words, const Site& site = own_site()) {
  words.insert(words.end(), {"--tls", site.path("")});
  return words;
}

ior::IiopProfile profile_of(const std::string& reference) {
  const auto parsed = ior::parse_reference(reference);
  return ior::parse_iiop(std::get<ior::Ior>(parsed).profiles.at(0).data).value();
}

// Returns the output of `--stats REFERENCE` with these words; its status must be as expected.
std::string asked(const std::string& reference, std::vector<std::string> words, int expected) {
  words.insert(words.begin(), {"--stats", reference});
  Sample asks(words);
  std::string said = asks.rest();
  said += asks.errors();
  EXPECT_EQ(asks.status(), expected) << said;
  return said;
}

TEST(ServiceTls, ListensByTlsAlone) {
  Sample sample(over_tls({}));
  const std::string reference = sample.line();
  const ior::IiopProfile profile = profile_of(reference);
  EXPECT_EQ(profile.address.port, 0);
  ASSERT_EQ(ior::tls_addresses(profile).size(), 1u);
}

TEST(ServiceTls, TellsItsStatisticsToClientsOfTheSite) {
  Sample sample(over_tls({"-ORBEndpoint", "tls:127.0.0.1:0"}));
  const std::string reference = sample.line();
  EXPECT_TRUE(contains(asked(reference, over_tls({}), 0), "healthy "));
  const std::string port = std::to_string(ior::tls_addresses(profile_of(reference)).at(0).port);
  EXPECT_TRUE(contains(asked("127.0.0.1:" + port, over_tls({}), 0), "healthy ")) << "HOST:PORT is of TLS, too";
  EXPECT_TRUE(contains(asked(reference, {}, 1), "ports of TLS need --tls DIR"));
}

TEST(ServiceTls, RefusesOtherSites) {
  Sample sample(over_tls({"-ORBEndpoint", "tls:127.0.0.1:0"}));
  const std::string reference = sample.line();
  const Site other("another authority");
  other.issue_client("client");
  EXPECT_TRUE(contains(asked(reference, over_tls({}, other), 4), "none of the authorities in -ORBTlsCA"));
}

TEST(ServiceTls, KnowsItsCallersByTheirCertificates) {
  Sample sample(over_tls({"-ORBEndpoint", "tls:127.0.0.1:0", "--allow", "admin=cert:CN=ops"}), {"SAMPLE_GUARDS=1"});
  const std::string reference = sample.line();
  EXPECT_TRUE(contains(asked(reference, {"--tls", own_site().path("ops")}, 0), "uptime_ms"));
  const std::string refused = asked(reference, over_tls({}), 4);
  EXPECT_TRUE(contains(refused, "NO_PERMISSION") && contains(refused, "over TLS certificates CN=ops") &&
              contains(refused, "the caller is certificate CN=client (127.0.0.1)") && contains(refused, "0x434140a8"))
      << refused;
  sample.signal(SIGTERM);
  EXPECT_EQ(sample.status(), 0);
  const std::string log = sample.errors();
  EXPECT_TRUE(contains(log, "warning: refused: _get_uptime_ms (admin) is for ") &&
              contains(log, "the caller is certificate CN=client (127.0.0.1)"))
      << log;
}

TEST(ServiceTls, OnlySaysWhatItWouldRefuseInADryRun) {
  Sample sample(
      over_tls({"-ORBEndpoint", "tls:127.0.0.1:0", "--allow", "admin=cert:CN=ops", "--allow-dry-run"}),
      {"SAMPLE_GUARDS=1"});
  EXPECT_TRUE(contains(asked(sample.line(), over_tls({}), 0), "uptime_ms"));
  sample.signal(SIGTERM);
  EXPECT_EQ(sample.status(), 0);
  EXPECT_TRUE(contains(sample.errors(), "would be refused (--allow-dry-run): _get_uptime_ms (admin) is for "));
}

TEST(ServiceTls, ReadsItsFilesAgainAtAHangup) {
  const Site site("an authority that revokes");
  site.issue_server("server");
  site.issue_client("client");
  site.write("crl.pem", site.authority().revoke({}, 30).value());
  Sample sample(over_tls({"-ORBEndpoint", "tls:127.0.0.1:0"}, site));
  const std::string reference = sample.line();
  EXPECT_TRUE(contains(asked(reference, over_tls({}, site), 0), "healthy "));
  site.write("crl.pem", site.authority().revoke({site.read("client.pem")}, 30).value());
  sample.signal(SIGHUP);
  EXPECT_TRUE(contains(asked(reference, over_tls({}, site), 4), "has been revoked"));
  sample.signal(SIGTERM);
  EXPECT_EQ(sample.status(), 0);
  EXPECT_TRUE(contains(sample.errors(), "the client's certificate (CN=client) has been revoked"));
}

TEST(ServiceTls, SaysWhichFolderIsMissing) {
  Sample sample({"--tls", "/nowhere/at/all"});
  EXPECT_TRUE(contains(sample.errors(), "callis sample: --tls /nowhere/at/all: there is neither such a folder nor "));
  EXPECT_EQ(sample.status(), 1);
}

}  // namespace
}  // namespace callis::services::testing
