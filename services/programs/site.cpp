// SPDX-License-Identifier: Apache-2.0
// Finds the files of a site, and gives them to all ORBs of the process.
#include <callis/base/text.h>
#include <services/programs/site.h>
#ifdef CALLIS_WITH_TLS
#include <callis/tls.h>
#include <callis/tls/option_list.h>
#endif
#include <sys/stat.h>
#include <unistd.h>
#include <cerrno>
#include <cstring>

namespace callis::programs {

namespace {

bool g_in_site = false;

}  // namespace

#ifdef CALLIS_WITH_TLS

namespace {

bool is_folder(const std::string& path) {
  struct stat what {};
  return ::stat(path.c_str(), &what) == 0 && S_ISDIR(what.st_mode);
}
bool is_there(const std::string& path) { return ::access(path.c_str(), F_OK) == 0; }

// Relative paths would change their meaning if the program changed its folder.
std::string whole_path(std::string path) {
  while (path.size() > 1 && path.back() == '/') path.pop_back();
  if (path.starts_with('/')) return path;
  char here[4096];
  if (!::getcwd(here, sizeof here)) throw SiteFailed(concat({"--tls ", path, ": ", std::strerror(errno)}));
  return concat({here, "/", path});
}

// The certificate's name within the folder.
std::string name_in(const std::string& folder, SiteRole role) {
  for (const char* const name : {role == SiteRole::Server ? "server" : "client", "server"})
    if (is_there(concat({folder, "/", name, ".pem"}))) return name;
  const char* const wanted = role == SiteRole::Server ? "server" : "client";
  throw SiteFailed(concat({"--tls ", folder, ": there is no ", wanted, ".pem; `callis tls init DIR` makes one, and ",
                           "--tls DIR/NAME takes the certificate of another name"}));
}

}  // namespace

void use_site(const std::string& where, SiteRole role) {
  std::string folder = whole_path(where), name;
  if (is_folder(folder)) {
    name = name_in(folder, role);
  } else if (is_there(folder + ".pem")) {
    const std::size_t slash = folder.rfind('/');
    name = folder.substr(slash + 1);
    folder.resize(slash);
  } else {
    throw SiteFailed(concat({"--tls ", where, ": there is neither such a folder nor ", where,
                             ".pem; `callis tls init DIR` makes a folder, `callis tls issue DIR NAME` more "
                             "certificates"}));
  }
  tls::TlsOptions options;
  const std::string at = folder + "/" + name;
  options.terms.certificate = at + ".pem";
  if (is_there(at + ".key")) options.terms.key = at + ".key";
  options.terms.authorities = folder + "/ca.pem";
  if (is_there(folder + "/crl.pem")) options.terms.revoked = folder + "/crl.pem";
  if (role == SiteRole::Client) options.calls = tls::Calls::Required;
  tls::set_defaults_of_orbs(options);
  if (role == SiteRole::Server) tls::reload_on_hangup();
  g_in_site = true;
}

#else

void use_site(const std::string&, SiteRole) {
  throw SiteFailed(
      "--tls: this program was built without TLS, the component tls of callis. Debian's packages of callis have it; "
      "a build from source needs libssl-dev, and tls among -DCALLIS_COMPONENTS");
}

#endif

bool in_site() noexcept { return g_in_site; }

bool is_orb_option(const std::string& word) { return word.starts_with("-ORB") || word == "--tls"; }

bool has_endpoint(const std::vector<std::string>& orb_options) {
  for (std::string word : orb_options) {
    for (char& c : word) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
    if (word.starts_with("-orb") && word.find("endpoint") != std::string::npos) return true;
  }
  return false;
}

}  // namespace callis::programs
