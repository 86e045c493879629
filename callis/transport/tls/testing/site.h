// SPDX-License-Identifier: Apache-2.0
// Site: a folder of certificates for a test, made once in a process for each name.
#pragma once
#include <callis/transport/tls/context.h>
#include <callis/transport/tls/issue.h>
#include <filesystem>
#include <fstream>
#include <string>
#include <unistd.h>

namespace callis::transport::testing {

class Site final {
 public:
  explicit Site(const std::string& authority = "the test's authority")
      : authority_(Authority::make(authority, 30).value()) {
    std::string name = (std::filesystem::temp_directory_path() / "callis_tls_XXXXXX").string();
    folder_ = ::mkdtemp(name.data());
    write("ca.pem", authority_.own().certificate);
  }
  ~Site() { std::filesystem::remove_all(folder_); }
  Site(const Site&) = delete;
  Site& operator=(const Site&) = delete;

  const Authority& authority() const { return authority_; }
  std::string path(const std::string& name) const { return folder_ + "/" + name; }
  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(path(name), std::ios::trunc) << text;
    using std::filesystem::perms;
    std::filesystem::permissions(path(name), perms::owner_read | perms::owner_write);
    return path(name);
  }
  std::string read(const std::string& name) const {
    std::ifstream in(path(name));
    return {std::istreambuf_iterator<char>(in), {}};
  }
  // NAME.pem, NAME.key.
  void issue(const std::string& name, const CertificateRequest& request) const {
    const IssuedCertificate made = authority_.issue(request).value();
    write(name + ".pem", made.certificate);
    write(name + ".key", made.key);
  }
  void issue_server(const std::string& name = "server", int days = 30) const {
    issue(name, {name, {"ip:127.0.0.1", "ip:::1", "dns:localhost", "dns:" + name + ".example"}, true, true, days});
  }
  void issue_client(const std::string& name, int days = 30) const { issue(name, {name, {}, false, true, days}); }

  // Terms that trust the authority; with a certificate of that name, if the name is not empty.
  TlsTerms terms(const std::string& own = {}) const {
    TlsTerms t;
    t.authorities = path("ca.pem");
    if (own.empty()) return t;
    t.certificate = path(own + ".pem");
    t.key = path(own + ".key");
    return t;
  }
  std::shared_ptr<TlsContext> context(const std::string& own = {}) const {
    return TlsContext::make(terms(own)).value();
  }

 private:
  Authority authority_;
  std::string folder_;
};

// With a server's certificate and one of a client "ops".
inline const Site& usual_site() {
  static const Site site = [] {
    return Site();
  }();
  static const bool made = [] {
    site.issue_server();
    site.issue_client("ops");
    return true;
  }();
  (void)made;
  return site;
}

}  // namespace callis::transport::testing
