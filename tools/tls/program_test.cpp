// SPDX-License-Identifier: Apache-2.0
// The program: a site's files, what OpenSSL's own program says of them, and what is refused.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <cstdio>
#include <filesystem>
#include <fstream>

namespace callis::tools {
namespace {

namespace fs = std::filesystem;

struct Ended {
  int status = -1;
  std::string output;  // both streams
};

Ended run(const std::string& command) {
  Ended out;
  std::FILE* pipe = ::popen((command + " 2>&1").c_str(), "r");
  char buffer[512];
  while (const std::size_t n = std::fread(buffer, 1, sizeof buffer, pipe)) out.output.append(buffer, n);
  const int status = ::pclose(pipe);
  out.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return out;
}
Ended tls(const std::string& arguments) { return run(CALLIS_BINARY_DIR "/bin/callis-tls " + arguments); }
bool has(const std::string& text, const std::string& part) { return text.find(part) != text.npos; }

class TlsProgram : public ::testing::Test {
 protected:
  TlsProgram() {
    std::string name = (fs::temp_directory_path() / "callis_site_XXXXXX").string();
    folder_ = ::mkdtemp(name.data());
  }
  ~TlsProgram() override { fs::remove_all(folder_); }
  std::string path(const std::string& name) const { return folder_ + "/" + name; }
  std::string verify(const std::string& more, const std::string& name) {
    return run("openssl verify -CAfile " + path("ca.pem") + " " + more + " " + path(name)).output;
  }

  std::string folder_;
};

TEST_F(TlsProgram, MakesASite) {
  const Ended made = tls("init " + folder_ + " --host bank.example --host 192.0.2.1 --days 30");
  ASSERT_EQ(made.status, 0) << made.output;
  EXPECT_TRUE(has(verify("-purpose sslserver -verify_hostname bank.example", "server.pem"), ": OK"));
  EXPECT_TRUE(has(verify("-purpose sslserver -verify_ip 192.0.2.1", "server.pem"), ": OK"));
  EXPECT_FALSE(has(verify("-verify_hostname other.example", "server.pem"), ": OK"));
  EXPECT_TRUE(has(verify("-purpose sslclient", "client.pem"), ": OK"));
  EXPECT_FALSE(has(verify("-purpose sslserver", "client.pem"), ": OK"));
  for (const char* key : {"ca.key", "server.key", "client.key"}) {
    struct stat s;
    ASSERT_EQ(::stat(path(key).c_str(), &s), 0);
    EXPECT_EQ(s.st_mode & 0777, 0600u) << key;
  }
  std::ifstream options(path("server.conf"));
  const std::string text{std::istreambuf_iterator<char>(options), {}};
  EXPECT_TRUE(has(text, "tls_certificate = " + path("server.pem")) && has(text, "endpoint = tls:")) << text;
}

TEST_F(TlsProgram, WritesNothingOver) {
  ASSERT_EQ(tls("init " + folder_).status, 0);
  const Ended again = tls("init " + folder_);
  EXPECT_EQ(again.status, 1);
  EXPECT_TRUE(has(again.output, "ca.key: is there already")) << again.output;
  EXPECT_EQ(tls("issue " + folder_ + " server --server").status, 1);
}

TEST_F(TlsProgram, IssuesAndRevokesMore) {
  ASSERT_EQ(tls("init " + folder_).status, 0);
  const std::string with_list = "-crl_check -CRLfile " + path("crl.pem");
  EXPECT_TRUE(has(verify(with_list, "client.pem"), ": OK")) << "nothing is revoked yet";
  ASSERT_EQ(tls("issue " + folder_ + " ops --client --days 10").status, 0);
  EXPECT_TRUE(has(verify("", "ops.pem"), ": OK"));
  ASSERT_EQ(tls("revoke " + folder_ + " client").status, 0);
  ASSERT_EQ(tls("revoke " + folder_ + " ops").status, 0) << "the one before stays revoked";
  const std::string list = "-crl_check -CRLfile " + path("crl.pem");
  EXPECT_TRUE(has(verify(list, "client.pem"), "certificate revoked"));
  EXPECT_TRUE(has(verify(list, "ops.pem"), "certificate revoked"));
  EXPECT_TRUE(has(verify(list, "server.pem"), ": OK"));
}

TEST_F(TlsProgram, ShowsACertificate) {
  ASSERT_EQ(tls("init " + folder_ + " --host bank.example").status, 0);
  const Ended shown = tls("show " + path("server.pem"));
  EXPECT_TRUE(has(shown.output, "subject      CN=server") && has(shown.output, "names        dns:bank.example"))
      << shown.output;
  EXPECT_EQ(tls("show " + path("server.key")).status, 1);
}

TEST_F(TlsProgram, RefusesWhatItDoesNotKnow) {
  EXPECT_EQ(tls("").status, 2);
  EXPECT_EQ(tls("make " + folder_).status, 2);
  EXPECT_EQ(tls("issue " + folder_ + " ops").status, 2);
  EXPECT_EQ(tls("init " + folder_ + " --days 0").status, 2);
  EXPECT_EQ(tls("init " + folder_ + " --host 'a,IP:1.2.3.4'").status, 1);
  ASSERT_EQ(tls("init " + folder_ + "/site").status, 0);
  EXPECT_EQ(tls("issue " + folder_ + "/site ../x --client").status, 1);
}

}  // namespace
}  // namespace callis::tools
