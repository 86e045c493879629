// SPDX-License-Identifier: Apache-2.0
// sslContext and omniORB's options of TLS: which of them count, and which files ORB_init() asks for.
#include <gtest/gtest.h>
#include <callis/base/log.h>

#include <omniORB4/sslContext.h>
#include <string>
#include <vector>

namespace {

using Clients = callis::transport::TlsTerms::Clients;

void keep(callis::LogLevel, std::string_view text, void* lines) {
  static_cast<std::vector<std::string>*>(lines)->emplace_back(text);
}

struct SslContext : ::testing::Test {
  ~SslContext() override {
    sslContext::certificate_authority_file = sslContext::certificate_authority_path = nullptr;
    sslContext::key_file = sslContext::key_file_password = nullptr;
    sslContext::verify_mode = 3;
    sslContext::verify_callback = nullptr;
  }
  // Makes an ORB, or not: the files are not there. Returns what the log says.
  std::vector<std::string> init(std::vector<std::string> words) {
    std::vector<std::string> said;
    const callis::LogLevel before = callis::log_level();
    callis::set_log_level(callis::LogLevel::Warning);
    callis::set_log_sink(&keep, &said);
    words.insert(words.begin(), "test");
    std::vector<char*> argv;
    for (std::string& w : words) argv.push_back(w.data());
    argv.push_back(nullptr);
    int argc = static_cast<int>(words.size());
    raised = false;
    try {
      const CORBA::ORB_var orb = CORBA::ORB_init(argc, argv.data(), "ssl");
      EXPECT_EQ(argc, 1) << "all options are taken";
      orb->destroy();
    } catch (const CORBA::INITIALIZE&) {
      raised = true;
    }
    callis::set_log_sink(nullptr, nullptr);
    callis::set_log_level(before);
    return said;
  }
  static const callis::transport::TlsTerms& terms() { return callis::tls::TlsOptions::of_this_thread().terms; }
  static bool has(const std::vector<std::string>& lines, const char* part) {
    for (const std::string& line : lines)
      if (line.find(part) != std::string::npos) return true;
    return false;
  }
  bool raised = false;
};

TEST_F(SslContext, a_program_that_sets_nothing_has_no_tls) {
  EXPECT_TRUE(init({}).empty());
  EXPECT_FALSE(raised);
  EXPECT_FALSE(terms().verifies() || terms().has_certificate());
}

TEST_F(SslContext, members_are_those_of_orbs_that_are_made_later) {
  sslContext::certificate_authority_file = "/nowhere/root.pem";
  sslContext::certificate_authority_path = "/nowhere";
  sslContext::key_file = "/nowhere/server.pem";
  const auto said = init({});
  EXPECT_TRUE(raised);
  EXPECT_TRUE(has(said, "/nowhere/")) << "the text names the file";
  EXPECT_EQ(terms().authorities, "/nowhere/root.pem");
  EXPECT_EQ(terms().certificate, "/nowhere/server.pem");
  EXPECT_EQ(terms().clients, Clients::Required);
}

TEST_F(SslContext, options_count_more_than_members_and_callis_options_most) {
  sslContext::certificate_authority_file = "/nowhere/member.pem";
  sslContext::key_file = "/nowhere/member-key.pem";
  init({"-ORBsslCAFile", "/nowhere/option.pem", "-ORBsslKeyFile", "/nowhere/option-key.pem", "-ORBTlsCertificate",
        "/nowhere/own.pem", "-ORBsslVerifyMode", "peer", "-ORBsslAcceptTimeOut", "1234"});
  EXPECT_EQ(terms().authorities, "/nowhere/option.pem");
  EXPECT_EQ(terms().certificate, "/nowhere/own.pem");
  EXPECT_EQ(terms().clients, Clients::Wanted);
  EXPECT_EQ(terms().handshake_timeout, callis::Duration(1'234));
  init({"-ORBsslCAPath", "/nowhere/folder", "-ORBsslVerifyMode", "peer,fail"});
  EXPECT_EQ(terms().authorities, "/nowhere/member.pem") << "a file counts more than a folder";
  EXPECT_EQ(terms().clients, Clients::Required);
  sslContext::certificate_authority_file = nullptr;
  init({"-ORBsslCAPath", "/nowhere/folder"});
  EXPECT_EQ(terms().authorities, "/nowhere/folder");
}

TEST_F(SslContext, what_weakens_the_check_of_peers_is_said) {
  sslContext::certificate_authority_file = "/nowhere/root.pem";
  EXPECT_TRUE(has(init({"-ORBsslVerifyMode", "none"}), "anybody may connect"));
  EXPECT_EQ(terms().clients, Clients::None);
  sslContext::verify_mode = 1;
  init({});
  EXPECT_EQ(terms().clients, Clients::Wanted);
  sslContext::verify_callback = [](int, X509_STORE_CTX*) { return 1; };
  EXPECT_TRUE(has(init({}), "verify_callback"));
  EXPECT_TRUE(has(init({"-ORBsslKeyPassword", "secret"}), "-ORBTlsKeyPassword names a file"));
}

}  // namespace
