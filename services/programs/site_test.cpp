// SPDX-License-Identifier: Apache-2.0
// Which files --tls takes, and its words about missing ones.
#include <callis/corba.h>
#include <gtest/gtest.h>
#include <services/programs/init_orb.h>
#include <services/programs/local_service.h>
#include <services/programs/site.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
#include <filesystem>
#include <fstream>
#ifdef CALLIS_WITH_TLS
#include <callis/tls/option_list.h>
#endif

namespace callis::programs {
namespace {

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

std::string refused(const std::string& where, SiteRole role) {
  try {
    use_site(where, role);
  } catch (const SiteFailed& f) {
    return f.what();
  }
  return "";
}

TEST(Site, OptionsOfOrbsAreThatToo) {
  EXPECT_TRUE(is_orb_option("--tls"));
  EXPECT_TRUE(is_orb_option("-ORBEndpoint"));
  EXPECT_FALSE(is_orb_option("--tlsx"));
  EXPECT_TRUE(has_endpoint({"-ORBlistenEndpoints", "x"}));
  EXPECT_FALSE(has_endpoint({"-ORBTlsCA", "endpoint"}));
}

#ifdef CALLIS_WITH_TLS

class SiteFolder : public ::testing::Test {
 protected:
  SiteFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "callis_site_XXXXXX").string();
    folder_ = ::mkdtemp(name.data());
  }
  ~SiteFolder() override { std::filesystem::remove_all(folder_); }
  std::string path(const std::string& name) const { return folder_ + "/" + name; }
  void make(const std::string& name) const { std::ofstream(path(name)) << "x"; }
  // use_site() is for the process: a child of its own tells the options. Each is on a line.
  std::string told(const std::string& where, SiteRole role) const {
    const std::string out = path("told");
    const pid_t child = ::fork();
    if (child == 0) {
      use_site(where, role);
      tls::TlsOptions& o = tls::TlsOptions::of_this_thread();
      o = tls::defaults_of_orbs();
      std::ofstream(out) << o.terms.certificate << '\n'
                         << o.terms.key << '\n'
                         << o.terms.authorities << '\n'
                         << o.terms.revoked << '\n'
                         << (o.calls == tls::Calls::Required ? "required" : "offered") << '\n'
                         << local_service("none", 7, "K") << '\n';
      ::_exit(0);
    }
    ::waitpid(child, nullptr, 0);
    std::ifstream in(out);
    return {std::istreambuf_iterator<char>(in), {}};
  }

  std::string folder_;
};

TEST_F(SiteFolder, GivesAServiceTheServersCertificate) {
  for (const char* name : {"ca.pem", "server.pem", "server.key", "client.pem", "client.key"}) make(name);
  EXPECT_EQ(told(folder_ + "/", SiteRole::Server),
            path("server.pem\n") + path("server.key\n") + path("ca.pem\n") +
                "\noffered\ncorbaloc:ssliop:localhost:7/K\n");
}

TEST_F(SiteFolder, GivesAClientItsOwnOrTheServers) {
  for (const char* name : {"ca.pem", "server.pem", "crl.pem"}) make(name);
  EXPECT_EQ(told(folder_, SiteRole::Client), path("server.pem\n") + "\n" + path("ca.pem\n") + path("crl.pem\n") +
                                                 "required\ncorbaloc:ssliop:localhost:7/K\n")
      << "no key of its own: the certificate's file has it";
  make("client.pem");
  EXPECT_TRUE(has(told(folder_, SiteRole::Client), path("client.pem")));
}

TEST_F(SiteFolder, TakesAnotherNameBehindTheFolder) {
  make("ops.pem");
  EXPECT_TRUE(told(path("ops"), SiteRole::Client).starts_with(path("ops.pem\n")));
}

TEST_F(SiteFolder, SaysWhichFileIsMissing) {
  EXPECT_TRUE(has(refused(folder_, SiteRole::Server), "there is no server.pem; `callis tls init"));
  EXPECT_TRUE(has(refused(path("ops"), SiteRole::Client), "neither such a folder nor " + path("ops.pem")));
  make("client.pem");
  EXPECT_TRUE(has(refused(folder_, SiteRole::Server), "no server.pem")) << "a client's certificate is for no server";
  EXPECT_FALSE(in_site());
}

TEST_F(SiteFolder, TellsTheOrbsReasonForFilesThatAreNone) {
  make("client.pem");
  const pid_t child = ::fork();
  if (child == 0) {
    try {
      init_orb({"-ORBIdleWatch", "none", "--tls", folder_});
    } catch (const CORBA::INITIALIZE& e) {
      ::_exit(has(e.what(), "client.pem") ? 7 : 8);
    }
    ::_exit(9);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  EXPECT_EQ(WEXITSTATUS(status), 7);
}

#else

TEST(Site, NamesTheComponentThatAProgramWithoutTlsLacks) {
  const std::string said = refused("anywhere", SiteRole::Client);
  EXPECT_TRUE(has(said, "component tls") && has(said, "libssl-dev")) << said;
}

#endif

}  // namespace
}  // namespace callis::programs
