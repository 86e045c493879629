// SPDX-License-Identifier: Apache-2.0
// Writes the files of a site, and reads its authority again.
#include <callis/base/text.h>
#include <callis/transport/tcp/tcp.h>
#include <callis/transport/tls/issue.h>
#include <callis/transport/unix/unix.h>
#include <arpa/inet.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <tools/tls/site.h>
#include <unistd.h>
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>

namespace callis::tools {

namespace {

using transport::Authority;
using transport::CertificateRequest;
using transport::IssuedCertificate;

constexpr mode_t kForOwner = 0600, kForAll = 0644;

Error wrong(std::string_view path, std::string_view why) { return {Fault::BadText, 0, concat({path, ": ", why})}; }

// A new file, of these permissions from its beginning on.
Result<void> write_new(const std::string& path, const std::string& text, mode_t mode) {
  const int fd = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
  if (fd < 0)
    return wrong(path, errno == EEXIST ? "is there already; nothing is written over" : std::strerror(errno));
  ByteView rest(reinterpret_cast<const Byte*>(text.data()), text.size());
  while (!rest.empty()) {
    const ssize_t n = ::write(fd, rest.data(), rest.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) break;
    rest = rest.subspan(static_cast<std::size_t>(n));
  }
  const int e = errno;
  if (::close(fd) == 0 && rest.empty()) return {};
  return wrong(path, std::strerror(rest.empty() ? errno : e));
}

bool is_address(const std::string& host) {
  in6_addr a;
  return ::inet_pton(AF_INET, host.c_str(), &a) == 1 || ::inet_pton(AF_INET6, host.c_str(), &a) == 1;
}

std::vector<std::string> names_of(const SiteTerms& terms) {
  std::vector<std::string> hosts = terms.hosts;
  if (hosts.empty()) {
    hosts = {transport::host_name(), "localhost", "127.0.0.1", "::1"};
    const std::string own = transport::primary_address();
    if (std::ranges::find(hosts, own) == hosts.end()) hosts.push_back(own);
  }
  std::vector<std::string> out;
  for (const std::string& h : hosts)
    if (!h.empty()) out.push_back(concat({is_address(h) ? "ip:" : "dns:", h}));
  return out;
}

// The lines that a program of the site is told.
std::string options_of(const std::string& folder, const std::string& name, Role role) {
  const std::string at = folder + "/" + name;
  return concat({"# Options of TLS for a ", role == Role::Server ? "server" : "client",
                 ": -ORBConfigFile, or CALLIS_CONFIG in the environment, names this file.\n", "tls_ca = ", folder,
                 "/ca.pem\ntls_revoked = ", folder, "/crl.pem\ntls_certificate = ", at, ".pem\ntls_key = ", at,
                 ".key\n",
                 role == Role::Server ? "# Servers listen by TLS alone; another port: -ORBEndpoint tls::2810\n"
                                        "endpoint = tls:\n"
                                      : "# Calls over TCP alone are refused.\ntls_calls = required\n"});
}

Result<void> issue(const SiteTerms& terms, const Authority& authority, const std::string& name, Role role) {
  CertificateRequest request{name, {}, role == Role::Server, true, terms.days};
  if (role == Role::Server) request.names = names_of(terms);
  auto made = authority.issue(request);
  if (!made) return made.error();
  const std::string at = terms.folder + "/" + name;
  if (auto r = write_new(at + ".key", made->key, kForOwner); !r) return r;
  if (auto r = write_new(at + ".pem", made->certificate, kForAll); !r) return r;
  return write_new(at + ".conf", options_of(terms.folder, name, role), kForAll);
}

Result<SiteTerms> with_whole_path(SiteTerms terms) {
  std::error_code failed;
  terms.folder = std::filesystem::absolute(terms.folder, failed).lexically_normal().string();
  if (failed) return wrong(terms.folder, failed.message());
  while (terms.folder.size() > 1 && terms.folder.back() == '/') terms.folder.pop_back();
  return terms;
}

Result<Authority> authority_of(const SiteTerms& terms) {
  auto certificate = read_pem(terms.folder + "/ca.pem");
  if (!certificate) return certificate.error();
  auto key = read_pem(terms.folder + "/ca.key");
  if (!key) return key.error();
  return Authority::read(certificate.value(), key.value());
}

bool is_file_name(const std::string& name) {
  return !name.empty() && name.front() != '.' && name.size() <= 100 &&
         name.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-") == name.npos;
}

}  // namespace

Result<std::string> read_pem(const std::string& path) {
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return wrong(path, std::strerror(errno));
  constexpr std::size_t kMost = 1u << 20;
  std::string out;
  char part[4096];
  ssize_t n;
  while ((n = ::read(fd, part, sizeof part)) > 0 && out.size() < kMost) out.append(part, static_cast<std::size_t>(n));
  const int e = errno;
  ::close(fd);
  if (n < 0) return wrong(path, std::strerror(e));
  return out;
}

Result<void> init_site(const SiteTerms& given) {
  auto terms = with_whole_path(given);
  if (!terms) return terms.error();
  const std::string& folder = terms->folder;
  if (::mkdir(folder.c_str(), 0755) != 0 && errno != EEXIST) return wrong(folder, std::strerror(errno));
  auto authority = Authority::make("callis site authority of " + transport::host_name(), terms->authority_days);
  if (!authority) return authority.error();
  if (auto r = write_new(folder + "/ca.key", authority->own().key, kForOwner); !r) return r;
  if (auto r = write_new(folder + "/ca.pem", authority->own().certificate, kForAll); !r) return r;
  // With a list from the beginning, programs that run see what is revoked later.
  auto none = authority->revoke({}, terms->authority_days);
  if (!none) return none.error();
  if (auto r = write_new(folder + "/crl.pem", none.value(), kForAll); !r) return r;
  if (auto r = issue(terms.value(), authority.value(), "server", Role::Server); !r) return r;
  return issue(terms.value(), authority.value(), "client", Role::Client);
}

Result<void> issue_in_site(const SiteTerms& given, const std::string& name, Role role) {
  auto terms = with_whole_path(given);
  if (!terms) return terms.error();
  if (!is_file_name(name) || name == "ca")
    return wrong(name, "is no name for files; letters, digits, '.', '_' and '-' are");
  auto authority = authority_of(terms.value());
  if (!authority) return authority.error();
  return issue(terms.value(), authority.value(), name, role);
}

Result<void> revoke_in_site(const SiteTerms& given, const std::vector<std::string>& names) {
  auto terms = with_whole_path(given);
  if (!terms) return terms.error();
  auto authority = authority_of(terms.value());
  if (!authority) return authority.error();
  // Those that were revoked before are kept by name.
  const std::string list = terms->folder + "/revoked.txt";
  std::string all;
  if (auto before = read_pem(list)) all = std::move(before).value();
  for (const std::string& name : names) {
    if (!is_file_name(name)) return wrong(name, "is no name of a certificate here");
    if (("\n" + all).find("\n" + name + "\n") == std::string::npos) all += name + "\n";
  }
  std::vector<std::string> certificates;
  for (std::size_t at = 0; at < all.size();) {
    const std::size_t end = std::min(all.find('\n', at), all.size());
    auto pem = read_pem(concat({terms->folder, "/", std::string_view(all).substr(at, end - at), ".pem"}));
    if (!pem) return pem.error();
    certificates.push_back(std::move(pem).value());
    at = end + 1;
  }
  auto made = authority->revoke(certificates, terms->list_days);
  if (!made) return made.error();
  for (const auto& [path, text] : {std::pair{list, all}, {terms->folder + "/crl.pem", made.value()}}) {
    const std::string fresh = path + ".new";
    (void)::unlink(fresh.c_str());
    if (auto r = write_new(fresh, text, kForAll); !r) return r;
    if (::rename(fresh.c_str(), path.c_str()) != 0) return wrong(path, std::strerror(errno));
  }
  return {};
}

}  // namespace callis::tools
