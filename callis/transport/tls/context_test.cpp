// SPDX-License-Identifier: Apache-2.0
// Files of certificates and keys: what can be read, what is said of the rest, and what changes.
#include <callis/base/testing/log_lines.h>
#include <callis/transport/tls/testing/site.h>
#include <gtest/gtest.h>

namespace callis::transport {
namespace {

using testing::Site;
using testing::usual_site;

std::string complaint(const TlsTerms& terms) {
  auto made = TlsContext::make(terms);
  EXPECT_FALSE(made);
  return made ? std::string() : made.error().detail;
}
bool has(const std::string& text, const std::string& part) { return text.find(part) != text.npos; }

TEST(TlsContext, names_the_option_and_the_file_that_is_missing) {
  TlsTerms t;
  t.certificate = "/no/such.pem";
  EXPECT_EQ(complaint(t), "-ORBTlsCertificate /no/such.pem: No such file or directory");
  t = usual_site().terms("server");
  t.key = "/no/such.key";
  EXPECT_EQ(complaint(t), "-ORBTlsKey /no/such.key: No such file or directory");
  t = {};
  t.authorities = "/no/ca.pem";
  EXPECT_EQ(complaint(t), "-ORBTlsCA /no/ca.pem: No such file or directory");
}

TEST(TlsContext, says_what_is_wrong_in_a_file) {
  const Site& site = usual_site();
  TlsTerms t = site.terms("server");
  t.key = site.path("ops.key");
  EXPECT_TRUE(has(complaint(t), "the key does not belong to the certificate")) << complaint(t);
  t.key = site.path("ca.pem");
  EXPECT_TRUE(has(complaint(t), "no private key")) << complaint(t);
  t = {};
  t.authorities = site.path("ops.key");
  EXPECT_TRUE(has(complaint(t), "no certificate in PEM form")) << complaint(t);
  t.authorities = site.path("ca.pem");
  t.revoked = site.path("ca.pem");
  EXPECT_TRUE(has(complaint(t), "no revocation list")) << complaint(t);
  t = {};
  t.pins = "abc";
  EXPECT_TRUE(has(complaint(t), "64 hexadecimal digits")) << complaint(t);
  t = {};
  t.key = site.path("ops.key");
  EXPECT_TRUE(has(complaint(t), "-ORBTlsCertificate is missing")) << complaint(t);
  t = {};
  t.clients = TlsTerms::Clients::Wanted;
  EXPECT_TRUE(has(complaint(t), "need -ORBTlsCA or -ORBTlsPin")) << complaint(t);
}

TEST(TlsContext, reads_a_folder_of_authorities_and_a_key_behind_its_certificate) {
  const Site site("an authority in a folder");
  site.issue_client("ops");
  std::filesystem::create_directory(site.path("trusted"));
  site.write("trusted/one.pem", site.read("ca.pem"));
  site.write("trusted/notes.txt", "no certificate");
  TlsTerms t;
  t.authorities = site.path("trusted");
  t.certificate = site.write("both.pem", site.read("ops.pem") + site.read("ops.key"));
  EXPECT_TRUE(TlsContext::make(t));
  std::filesystem::remove(site.path("trusted/one.pem"));
  EXPECT_TRUE(has(complaint(t), "no file in this folder has certificates"));
}

TEST(TlsContext, warns_of_a_key_that_everybody_can_read) {
  const Site site("careless");
  site.issue_client("ops");
  std::filesystem::permissions(site.path("ops.key"), std::filesystem::perms(0644));
  const callis::testing::LogLines lines;
  EXPECT_TRUE(TlsContext::make(site.terms("ops")));
  EXPECT_EQ(lines.with("chmod 600"), 1u);
}

TEST(TlsContext, stays_as_it_is_while_its_files_do) {
  const auto context = usual_site().context("server");
  const auto before = context->current();
  EXPECT_EQ(context->current(), before);
}

TEST(TlsContext, reads_files_again_that_have_changed_and_keeps_the_earlier_ones_where_they_are_bad) {
  const Site site("an authority that renews");
  site.issue_client("ops");
  const auto context = site.context("ops");
  const auto before = context->current();
  site.issue_client("ops");  // another key and certificate
  context->look_soon();
  const callis::testing::LogLines lines(LogLevel::Info);
  const auto renewed = context->current();
  EXPECT_NE(renewed, before);
  EXPECT_EQ(lines.with("have been read again"), 1u);
  site.write("ops.key", "no key");
  context->look_soon();
  EXPECT_EQ(context->current(), renewed);
  EXPECT_EQ(lines.with("the earlier certificates and keys stay in force: -ORBTlsKey"), 1u);
  context->look_soon();
  EXPECT_EQ(context->current(), renewed);
  EXPECT_EQ(lines.all().size(), 2u) << "told once";
}

TEST(TlsContext, reads_files_again_that_have_not_changed_when_asked_to) {
  const auto context = usual_site().context("server"), other = usual_site().context("ops");
  const auto before = context->current(), of_other = other->current();
  read_tls_files_again();
  EXPECT_NE(context->current(), before) << "without a wait";
  EXPECT_NE(other->current(), of_other) << "each context is asked";
  const auto after = context->current();
  EXPECT_EQ(context->current(), after) << "once";
}

TEST(TlsContext, takes_a_passphrase_from_a_file_and_from_a_function) {
  const Site site("an authority with secrets");
  site.issue_client("ops");
  ASSERT_EQ(std::system(("openssl pkcs8 -topk8 -passout pass:open-sesame -in " + site.path("ops.key") + " -out " +
                         site.path("secret.key") + " 2>/dev/null")
                            .c_str()),
            0);
  ASSERT_EQ(std::system(("openssl pkcs12 -export -passout pass:open-sesame -inkey " + site.path("ops.key") + " -in " +
                         site.path("ops.pem") + " -out " + site.path("ops.p12") + " 2>/dev/null")
                            .c_str()),
            0);
  TlsTerms key = site.terms("ops"), bundle = site.terms();
  key.key = site.path("secret.key");
  bundle.certificate = site.path("ops.p12");
  for (TlsTerms* const t : {&key, &bundle}) {
    EXPECT_TRUE(has(complaint(*t), "-ORBTlsKeyPassword")) << complaint(*t);
    set_passphrase_function([](const std::string&) { return std::string("open-sesame"); });
    EXPECT_TRUE(TlsContext::make(*t));
    set_passphrase_function(nullptr);
    t->key_password = site.write("password", "wrong\n");
    EXPECT_FALSE(TlsContext::make(*t));
    t->key_password = site.write("password", "open-sesame\n");
    EXPECT_TRUE(TlsContext::make(*t));
  }
}

TEST(Authority, can_be_read_again_and_issues_more) {
  const Site& site = usual_site();
  auto again = Authority::read(site.authority().own().certificate, site.authority().own().key);
  ASSERT_TRUE(again);
  EXPECT_TRUE(again->issue({"more", {"dns:more.example"}, true, true}));
  EXPECT_FALSE(again->issue({"bad", {"dns:a,IP:1.2.3.4"}, true, true})) << "no name puts in another";
  EXPECT_FALSE(Authority::read(site.authority().own().certificate, site.read("ops.key")));
  EXPECT_TRUE(has(describe_certificate(site.read("server.pem")).value(), "subject      CN=server"));
}

}  // namespace
}  // namespace callis::transport
